package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must be so when everything was restarted and recovered. */
record CrashVerdict(
        CrashScene scene, TenantId tenant, List<String> books, List<CrashWriter> writers, CrashWitness witness) {
    private static final String MARKS = "SELECT mark FROM app.entries WHERE tenant_id = ?";
    private static final String ANY = """
            SELECT count(*) FROM (SELECT tenant_id FROM app.books UNION ALL SELECT tenant_id FROM app.chapters
                                  UNION ALL SELECT tenant_id FROM app.entries) rows
             WHERE tenant_id = ?
            """;

    /** One owner, on whom the directory agrees and who has every acknowledged row once; nothing is left elsewhere. */
    ShardId owner() {
        assertThat(witness.sins).as("what the witness saw").isEmpty();
        assertThat(witness.looks.get()).as("looks").isPositive();
        assertThat(scene.lab.owners(tenant)).as("owners").hasSize(1);
        ShardId owner = scene.lab.owners(tenant).get(0);
        assertThat(scene.lab.placement(tenant)).satisfies(placement -> {
            assertThat(placement.shard()).as("shard in the directory").isEqualTo(owner);
            assertThat(placement.state()).isEqualTo(PlacementState.ACTIVE);
            assertThat(placement.generation())
                    .isEqualTo(scene.lab.ownership(owner, tenant).orElseThrow().generation());
        });
        everyAcknowledgedRowIsThereOnce(owner);
        assertThat(scene.books(owner, tenant)).as("rows of before").isEqualTo(books);
        ShardId loser = owner.equals(CrashScene.S1) ? CrashScene.S2 : CrashScene.S1;
        assertThat(scene.lab.count(loser, ANY, tenant.value()))
                .as("rows left on shard %s", loser)
                .isZero();
        assertThat(scene.lab.state(loser, tenant)).isIn(null, OwnershipState.MOVED);
        assertThat(scene.lab.journal.ofTenant(tenant))
                .extracting(MoveRecord::phase)
                .isSubsetOf(MovePhase.ABORTED, MovePhase.DONE);
        scene.bystandersAreAsTheyWere();
        return owner;
    }

    private void everyAcknowledgedRowIsThereOnce(ShardId owner) {
        List<String> found = scene.lab.query(owner, MARKS, tenant.value());
        assertThat(found).as("marks").doesNotHaveDuplicates();
        Set<String> allowed = new HashSet<>();
        for (CrashWriter writer : writers) {
            assertThat(writer.failure()).isNull();
            assertThat(found).as("acknowledged marks").containsAll(writer.acknowledged);
            allowed.addAll(writer.acknowledged);
            allowed.addAll(writer.unknown);
        }
        assertThat(found).as("marks that somebody wrote").isSubsetOf(allowed);
    }
}
