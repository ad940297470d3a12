package io.homeshard.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.Homeshard;
import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promises that were broken when these tests were written, and what keeps them now. */
class BreaksTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");

    @SuppressWarnings("NullAway.Init") // each test makes one
    private AttackLab lab;

    private void lab(String ddl) throws SQLException {
        lab = new AttackLab(2, ddl);
    }

    @AfterEach
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    /** Promise 4. The old rows go, and PostgreSQL takes with them what another tenant hung on them. */
    @Test
    void cleaningDeletesARowOfAnotherTenantByCascade() throws SQLException {
        lab("""
            CREATE SCHEMA app;
            CREATE TABLE app.docs (tenant_id text NOT NULL, id bigint NOT NULL, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.shares (tenant_id text NOT NULL, id bigint NOT NULL, owner text, doc bigint,
              PRIMARY KEY (tenant_id, id), FOREIGN KEY (owner, doc) REFERENCES app.docs ON DELETE CASCADE);
            """);
        TenantId acme = lab.tenant("acme", S1);
        lab.tenant("other", S1);
        lab.run(S1, "INSERT INTO app.docs VALUES ('acme', 1)");
        MoveReport moved = lab.move(acme, S2);
        // the other tenant still lives here, and hangs its row on one that waits for its end; before the move a plan
        // finds it
        lab.run(S1, "INSERT INTO app.shares VALUES ('other', 7, 'acme', 1)");

        Throwable refused = catchThrowable(() -> lab.engine().clean(moved.move(), true));

        assertThat(lab.query(S1, "SELECT id FROM app.shares WHERE tenant_id = 'other'"))
                .as("rows of the other tenant; cleaning said: %s", refused)
                .containsExactly("7");
    }

    /** Promises 1 and 4. The guard folds case for citext: a second spelling would share the rows of the first. */
    @Test
    void aTenantWhoseNameDiffersOnlyInCaseIsRefusedWhereTheTablesFoldIt() throws SQLException {
        lab("""
            CREATE SCHEMA app; CREATE EXTENSION citext;
            CREATE TABLE app.notes (tenant_id citext NOT NULL, body text);
            CREATE INDEX ON app.notes (tenant_id);
            """);
        TenantId acme = lab.tenant("acme", S1);
        lab.run(S1, "INSERT INTO app.notes VALUES ('acme', 'once')");
        assertThatThrownBy(() -> lab.tenant("ACME", S1)).hasMessageContaining("the name must be lower case");
        lab.move(acme, S2);
        assertThat(lab.query(S2, "SELECT body FROM app.notes")).containsExactly("once");
    }

    /** Promise 1. citext compares by the database's collation, the guard would fold by the column's. */
    @Test
    void citextWithACollationOfItsOwnCannotBeATenantColumn() {
        assertThatThrownBy(() -> lab("""
                CREATE SCHEMA app; CREATE EXTENSION citext;
                CREATE TABLE app.notes (tenant_id citext COLLATE "tr-x-icu" NOT NULL, body text);
                """)).hasMessageContaining("with a collation of its own");
    }

    /** Promise 1. ATTACH PARTITION does not conflict with the locks that are held to the flip. */
    @Test
    void aPartitionAttachedBetweenComparisonAndFlipStopsTheMove() throws SQLException {
        lab("""
            CREATE SCHEMA app; CREATE SCHEMA staging;
            CREATE TABLE app.events (tenant_id text NOT NULL, id int, PRIMARY KEY (tenant_id, id)) PARTITION BY RANGE (id);
            CREATE TABLE app.events_0 PARTITION OF app.events FOR VALUES FROM (0) TO (100);
            CREATE TABLE staging.events_1 (LIKE app.events INCLUDING INDEXES);
            """);
        TenantId acme = lab.tenant("acme", S1);
        lab.run(S1, "INSERT INTO app.events VALUES ('acme', 1)");
        lab.run(S1, "INSERT INTO staging.events_1 VALUES ('acme', 101)");

        Throwable refused = catchThrowable(() -> lab.move(acme, S2, AttackLab.at(MovePhase.VERIFIED, () -> {
            lab.run(
                    S1,
                    "SET lock_timeout = '2s'; ALTER TABLE app.events ATTACH PARTITION staging.events_1"
                            + " FOR VALUES FROM (100) TO (200)");
            lab.run(S1, "SELECT homeshard.install('staging.events_1', 'tenant_id')");
        })));

        ShardId home = lab.owners(acme).get(0);
        assertThat(lab.query(home, "SELECT id FROM app.events WHERE tenant_id = 'acme' ORDER BY 1"))
                .as(
                        "rows on %s, which owns the tenant; s1 has %s; the move said: %s",
                        home, lab.query(S1, "SELECT id FROM app.events ORDER BY 1"), refused)
                .isEqualTo(lab.query(S1, "SELECT id FROM app.events WHERE tenant_id = 'acme' ORDER BY 1"));
    }

    private static final String NOTES = """
            CREATE SCHEMA app;
            CREATE TABLE app.notes (tenant_id text NOT NULL, body text);
            CREATE INDEX ON app.notes (tenant_id);
            """;

    /** Promises 1 and 2. A repair would make the shard an owner again that the tenant has left. */
    @Test
    void aTenantWhoseCreationHasNotEndedDoesNotMoveUntilItIsRepaired() throws SQLException {
        lab(NOTES);
        TenantId acme = TenantId.of("acme");
        lab.almost(acme, S1); // the creator died before its last step
        assertThatThrownBy(() -> lab.move(acme, S2)).hasMessageContaining("tenants().repair()");
        try (Homeshard homeshard = lab.homeshard(false, Homeshard.builder())) {
            homeshard.tenants().repair();
            lab.move(acme, S2);
            assertThat(homeshard.tenants().repair().left()).isEmpty();
        }
        assertThat(lab.owners(acme)).containsExactly(S2);
    }

    /** Promise 11. A sweeper with an old route must not look for the owner among the retained rows. */
    @Test
    void aClaimIsNotJudgedByTheShardThatTheTenantHasLeft() throws SQLException {
        lab(NOTES);
        TenantId acme = lab.tenant("acme", S1);
        try (Homeshard sweeper = lab.homeshard(false, Homeshard.builder());
                Homeshard writer = lab.homeshard(false, Homeshard.builder())) {
            assertThat(exists(sweeper, acme)).isFalse(); // knows the tenant on s1 from now on
            lab.move(acme, S2);
            writer.claims().claim("login", "ada", acme, "note", Duration.ofMillis(1));
            writer.run(acme, () -> {
                try (Connection connection = writer.dataSource().getConnection()) {
                    Jdbc.update(connection, "INSERT INTO app.notes VALUES ('acme', 'ada')");
                }
            }); // and dies before it confirms

            String swept = sweeper.claims()
                    .sweepExpired("login", claim -> exists(sweeper, claim.tenant()))
                    .toString();

            assertThat(sweeper.claims()
                            .claim("login", "ada", TenantId.of("other"), "note", Duration.ofMinutes(1))
                            .granted())
                    .as("the other tenant gets the value that acme's row on s2 uses, %s", swept)
                    .isFalse();
        }
    }

    private static boolean exists(Homeshard homeshard, TenantId tenant) throws SQLException {
        boolean[] found = new boolean[1];
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                Jdbc.one(
                        connection,
                        "SELECT homeshard.enter(?, ?)",
                        row -> row.getLong(1),
                        tenant.value(),
                        homeshard.router().route().generation());
                found[0] = Jdbc.one(
                        connection,
                        "SELECT EXISTS (SELECT FROM app.notes WHERE tenant_id = ? AND body = 'ada')",
                        row -> row.getBoolean(1),
                        tenant.value());
                connection.commit();
            }
        });
        return found[0];
    }
}
