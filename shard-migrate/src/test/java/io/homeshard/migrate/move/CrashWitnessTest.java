package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.model.TenantId;
import org.junit.jupiter.api.Test;

/** The witness of the crash matrix sees a second owner, and who writes on it is heard. */
class CrashWitnessTest {
    private static final TenantId TENANT = TenantId.of("acme");

    @Test
    void seesASecondOwner() throws Exception {
        try (MoveLab lab = MoveLab.with(2, CrashScene.TABLES, CrashScene.DDL)) {
            lab.tenant(TENANT, CrashScene.S1);
            try (CrashWitness witness = new CrashWitness(lab, TENANT)) {
                witness.look("before");
                assertThat(witness.sins).isEmpty();

                lab.run(
                        CrashScene.S2,
                        "INSERT INTO homeshard.ownership (tenant_id, state, generation) VALUES (?, 'owned', 2)",
                        TENANT.value());
                witness.look("now");

                assertThat(witness.sins).contains("two owners, now");
            }
            try (CrashWriter stray = new CrashWriter(lab, CrashScene.S2, TENANT)) {
                MoveLab.await(() -> !stray.acknowledged.isEmpty());
                assertThat(stray.failure()).isNull();
            }
        }
    }
}
