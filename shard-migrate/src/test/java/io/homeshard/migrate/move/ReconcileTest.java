package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.tenants.Difference;
import io.homeshard.tenants.Difference.Outcome;
import io.homeshard.tenants.DifferenceKind;
import io.homeshard.tenants.ReconcileReport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Directory and shards disagree; whoever holds the acknowledged rows owns the tenant in the end. */
class ReconcileTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");
    private static final ShardId S3 = ShardId.of("s3");
    private static final Set<ShardId> CUT_OFF = ConcurrentHashMap.newKeySet();
    private static final String ROLE = "reconciler";
    private static final String TRIGGER =
            "CREATE TRIGGER tell AFTER DELETE ON app.notes FOR EACH ROW EXECUTE FUNCTION outbox.tell()";
    private static MoveLab lab;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(
                3, TenantSchema.tenantColumn("tenant_id").inSchemas("app").build(), """
                CREATE SCHEMA app;
                CREATE TABLE app.notes (tenant_id text NOT NULL, body text NOT NULL, PRIMARY KEY (tenant_id, body));
                CREATE TABLE app.replies (tenant_id text NOT NULL, body text NOT NULL, text text NOT NULL,
                  PRIMARY KEY (tenant_id, body, text), FOREIGN KEY (tenant_id, body) REFERENCES app.notes);
                CREATE TABLE app.hens (tenant_id text PRIMARY KEY);
                CREATE TABLE app.eggs (tenant_id text PRIMARY KEY REFERENCES app.hens DEFERRABLE);
                ALTER TABLE app.hens ADD FOREIGN KEY (tenant_id) REFERENCES app.eggs DEFERRABLE;
                CREATE SCHEMA outbox;
                CREATE TABLE outbox.deleted (body text);
                CREATE FUNCTION outbox.tell() RETURNS trigger LANGUAGE plpgsql AS
                  'BEGIN INSERT INTO outbox.deleted VALUES (OLD.body); RETURN NULL; END';
                """);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @BeforeEach
    void reachable() {
        CUT_OFF.clear();
        assertThat(reconcile(true).differences()).isEmpty();
    }

    @Test
    void anOldBackupOfTheDirectoryEndsWithTheOwnerThatHasTheRows() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "before");
        DirectoryPast past = DirectoryPast.of(lab);
        int incarnation = lab.admin.identity().incarnation();
        long version = lab.placement(tenant).mapVersion();
        lab.move(tenant, S2);
        note(S2, tenant, "after");
        TenantId later = tenant(S3);
        note(S3, later, "created after the backup");

        past.putBack();
        assertThatThrownBy(() -> lab.move(tenant, S3)).isInstanceOf(MoveException.class);
        ReconcileReport dry = reconcile(true);
        assertThat(kinds(dry))
                .contains(DifferenceKind.EPOCHS_BEHIND, DifferenceKind.DIRECTORY_BEHIND, DifferenceKind.UNKNOWN_TENANT);
        assertThat(dry.differences()).allMatch(found -> found.outcome() == Outcome.WOULD_MEND);
        assertThat(lab.placement(tenant).shard()).isEqualTo(S1);

        ReconcileReport report = reconcile(false);

        assertThat(report.complete()).isTrue();
        assertThat(lab.placement(tenant).shard()).isEqualTo(S2);
        assertThat(lab.placement(tenant).generation()).isEqualTo(2);
        assertThat(lab.placement(later).shard()).isEqualTo(S3);
        assertThat(lab.placement(tenant).mapVersion()).isGreaterThan(version + 1000);
        assertThat(lab.admin.identity().incarnation()).isEqualTo(incarnation + 1);
        assertThat(lab.owners(tenant)).containsExactly(S2);
        lab.move(tenant, S3);
        lab.move(later, S1);
        assertThat(notes(S3, tenant)).containsExactly("after", "before");
        assertThat(notes(S1, later)).containsExactly("created after the backup");
    }

    /** The directory's last transactions are gone, the whole move among them, and the target was not activated yet. */
    @Test
    void aFlipThatOnlyTheSourceRemembersIsFinished() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "before");
        DirectoryPast past = DirectoryPast.of(lab);
        lab.move(tenant, S2);
        past.putBack();
        lab.run(
                S2,
                "UPDATE homeshard.ownership SET state = 'incoming', verified_attempt = attempt WHERE tenant_id = ?",
                tenant.value());
        assertThat(lab.owners(tenant)).isEmpty();

        assertThat(reconcile(false).complete()).isTrue();

        assertThat(lab.owners(tenant)).containsExactly(S2);
        assertThat(lab.placement(tenant).shard()).isEqualTo(S2);
        assertThat(lab.placement(tenant).generation()).isEqualTo(2);
    }

    /** The same, but the target lost its rows and with them the marker: the frozen rows of the source are all there is. */
    @Test
    void aTargetThatIsNotCompleteIsGivenUpForTheSource() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "before");
        DirectoryPast past = DirectoryPast.of(lab);
        lab.move(tenant, S2);
        past.putBack();
        lab.run(
                S2,
                "UPDATE homeshard.ownership SET state = 'incoming', verified_attempt = NULL WHERE tenant_id = ?",
                tenant.value());

        ReconcileReport report = reconcile(false);

        assertThat(lab.owners(tenant)).containsExactly(S1);
        assertThat(lab.placement(tenant).shard()).isEqualTo(S1);
        assertThat(lab.placement(tenant).generation()).isEqualTo(3);
        assertThat(lab.ownership(S1, tenant).orElseThrow().generation()).isEqualTo(3);
        // the journal that could prove that the target's rows are a copy is lost
        assertThat(report.of(tenant))
                .anyMatch(found -> found.kind() == DifferenceKind.INCOMING_LEFTOVER
                        && found.outcome() == Outcome.LEFT
                        && found.remedy().contains("gather"));
        assertThat(notes(S2, tenant)).containsExactly("before");
        forget(S2, tenant);
    }

    /** The move is in the journal, in the phase before the flip that the directory has forgotten. */
    @Test
    void aForgottenFlipOfAMoveInTheJournalIsDoneAgain() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "before");
        DirectoryPast[] past = new DirectoryPast[1];
        MoveEngine engine = lab.engine();
        engine.execute(engine.plan(tenant, S2), new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                if (move.phase() == MovePhase.VERIFIED) {
                    past[0] = DirectoryPast.of(lab);
                }
            }
        });
        note(S2, tenant, "after");
        past[0].putBack();
        UUID move = lab.journal.ofTenant(tenant).get(0).id();
        lab.expire(move);

        assertThat(reconcile(false).complete()).isTrue();

        assertThat(lab.journal.find(move).orElseThrow().phase()).isEqualTo(MovePhase.RETAINED);
        assertThat(lab.placement(tenant).shard()).isEqualTo(S2);
        assertThat(lab.placement(tenant).state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(lab.engine().clean(move, true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        lab.move(tenant, S1);
        assertThat(notes(S1, tenant)).containsExactly("after", "before");
    }

    @Test
    void twoOwnersAreNamedAndLeftToAPerson() throws SQLException {
        TenantId tenant = tenant(S1);
        lab.run(
                S2,
                "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES (?, 1, 'owned')",
                tenant.value());

        ReconcileReport report = reconcile(false);

        assertThat(report.of(tenant)).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(DifferenceKind.TWO_OWNERS);
            assertThat(found.outcome()).isEqualTo(Outcome.LEFT);
            assertThat(found.what()).contains("s1").contains("s2");
        });
        assertThat(lab.owners(tenant)).containsExactly(S1, S2);
        assertThat(report.complete()).isFalse();
        forget(S2, tenant);
    }

    /** A source restored to before the move: what was acknowledged there since stays, unreachable to writers. */
    @Test
    void anOutdatedOwnerIsStoppedAndKeepsItsRows() throws SQLException {
        TenantId tenant = tenant(S1);
        lab.move(tenant, S2);
        lab.run(
                S1,
                "UPDATE homeshard.ownership SET state = 'owned', moved_to = NULL WHERE tenant_id = ?",
                tenant.value());
        note(S1, tenant, "in the wrong place");

        ReconcileReport report = reconcile(false);

        assertThat(kinds(report)).containsExactly(DifferenceKind.OUTDATED_OWNER);
        assertThat(report.complete()).isTrue();
        assertThat(lab.owners(tenant)).containsExactly(S2);
        assertThatThrownBy(() -> note(S1, tenant, "refused")).hasStackTraceContaining("not owned here");
        assertThat(notes(S1, tenant)).containsExactly("in the wrong place");
    }

    /** An owner that was restored to before its last life says so by its generation. */
    @Test
    void anOwnerBehindTheDirectoryIsNamed() throws SQLException {
        TenantId tenant = tenant(S1);
        lab.move(tenant, S2);
        lab.run(S2, "UPDATE homeshard.ownership SET generation = 1 WHERE tenant_id = ?", tenant.value());

        assertThat(reconcile(false).of(tenant))
                .singleElement()
                .extracting(Difference::kind, Difference::outcome)
                .containsExactly(DifferenceKind.OWNER_BEHIND, Outcome.LEFT);

        lab.run(S2, "UPDATE homeshard.ownership SET generation = 2 WHERE tenant_id = ?", tenant.value());
    }

    @Test
    void aSilentShardLeavesItsTenantsUndecided() throws SQLException {
        TenantId tenant = tenant(S1);
        TenantId here = tenant(S3);
        DirectoryPast past = DirectoryPast.of(lab);
        lab.move(tenant, S2);
        lab.move(here, S1);
        past.putBack();
        CUT_OFF.add(S2);

        ReconcileReport report = reconcile(false);

        assertThat(report.unreachable()).containsOnlyKeys(S2);
        assertThat(report.of(tenant))
                .singleElement()
                .extracting(Difference::outcome)
                .isEqualTo(Outcome.UNDECIDED);
        assertThat(report.of(here))
                .singleElement()
                .extracting(Difference::outcome)
                .isEqualTo(Outcome.UNDECIDED);
        assertThat(report.of(tenant).get(0).remedy()).contains("s2");
        assertThat(lab.placement(tenant).shard()).isEqualTo(S1);

        CUT_OFF.clear();
        assertThat(reconcile(false).complete()).isTrue();
        assertThat(lab.placement(tenant).shard()).isEqualTo(S2);
        assertThat(lab.placement(here).shard()).isEqualTo(S1);
    }

    /** What an undone move has left on a target that could not be reached: it goes where the journal proves what it is. */
    @Test
    void e12_leftoversGoWhereTheJournalProvesThatTheyAreCopies() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "a");
        lab.run(S1, "INSERT INTO app.replies VALUES (?, 'a', 'b')", tenant.value());
        MoveEngine engine = lab.engine();
        UUID move = engine.execute(engine.plan(tenant, S2), MoveListener.NONE).move();
        leftover(tenant, move, "ABORTED");

        ReconcileReport dry = reconcile(true);
        assertThat(kinds(dry)).containsExactly(DifferenceKind.INCOMING_LEFTOVER);
        assertThat(notes(S2, tenant)).containsExactly("a");

        assertThat(reconcile(false).complete()).isTrue();

        assertThat(lab.state(S2, tenant)).isNull();
        assertThat(notes(S2, tenant)).isEmpty();
        assertThat(notes(S1, tenant)).containsExactly("a");
        assertThat(lab.owners(tenant)).containsExactly(S1);
    }

    @Test
    void e12_leftoversThatReferToEachOtherInACircleGoTogether() throws SQLException {
        TenantId tenant = tenant(S1);
        lab.run(
                S1,
                "WITH hen AS (INSERT INTO app.hens VALUES (?)) INSERT INTO app.eggs VALUES (?)",
                tenant.value(),
                tenant.value());
        leftover(tenant, lab.move(tenant, S2).move(), "ABORTED");

        assertThat(reconcile(false).complete()).isTrue();

        assertThat(lab.count(S2, "SELECT count(*) FROM app.eggs")).isZero();
        assertThat(lab.state(S2, tenant)).isNull();
        assertThat(lab.count(S1, "SELECT count(*) FROM app.eggs")).isEqualTo(1);
    }

    /** The tenant has deleted nothing: an outbox must not say so. */
    @Test
    void e12_leftoversGoWithoutSettingOffTheApplicationsTriggers() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "a");
        leftover(tenant, lab.move(tenant, S2).move(), "ABORTED");
        lab.run(S2, TRIGGER);
        try {
            assertThat(reconcile(false).complete()).isTrue();
        } finally {
            lab.run(S2, "DROP TRIGGER tell ON app.notes");
        }
        assertThat(notes(S2, tenant)).isEmpty();
        assertThat(lab.query(S2, "SELECT body FROM outbox.deleted")).isEmpty();
    }

    @Test
    void e12_leftoversStayWhereTriggersCannotBeKeptFromFiring() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "a");
        leftover(tenant, lab.move(tenant, S2).move(), "ABORTED");
        lab.run(S2, TRIGGER);
        lab.run(S2, "ALTER TABLE app.notes ENABLE ALWAYS TRIGGER tell");
        try {
            assertStays(tenant, reconcile(false), "disable them");
            lab.run(S2, "ALTER TABLE app.notes ENABLE TRIGGER tell");
            try (Connection owner = lab.connect(S2)) {
                MoverRole.grant(owner, ROLE, false);
                assertStays(
                        tenant,
                        reconcileAs(ROLE),
                        "GRANT SET ON PARAMETER session_replication_role TO \"" + ROLE + "\" on this shard");
                Jdbc.run(owner, "GRANT SET ON PARAMETER session_replication_role TO " + ROLE);
                assertThat(reconcileAs(ROLE).complete()).isTrue();
                Jdbc.run(owner, "REVOKE SET ON PARAMETER session_replication_role FROM " + ROLE);
                MoverRole.drop(owner, ROLE);
            }
        } finally {
            lab.run(S2, "DROP TRIGGER tell ON app.notes");
        }
        assertThat(notes(S2, tenant)).isEmpty();
        assertThat(lab.query(S2, "SELECT body FROM outbox.deleted")).isEmpty();
    }

    /** A table that takes longer to look through than a step may take. */
    @Test
    void e12_leftoversOfLargeTablesGoAsWell() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "a");
        leftover(tenant, lab.move(tenant, S2).move(), "ABORTED");
        lab.run(S2, "ALTER FUNCTION homeshard.table_with_rows(text) RENAME TO rows_at_once");
        lab.run(S2, """
                CREATE FUNCTION homeshard.table_with_rows(p_tenant text) RETURNS text LANGUAGE plpgsql AS $$
                BEGIN
                  IF current_setting('statement_timeout')::interval < interval '5 min' THEN
                    RAISE 'would have taken longer' USING ERRCODE = 'query_canceled';
                  END IF;
                  RETURN homeshard.rows_at_once(p_tenant);
                END $$""");
        try {
            assertThat(reconcile(false).complete()).isTrue();
        } finally {
            lab.run(S2, "DROP FUNCTION homeshard.table_with_rows(text)");
            lab.run(S2, "ALTER FUNCTION homeshard.rows_at_once(text) RENAME TO table_with_rows");
        }
        assertThat(lab.state(S2, tenant)).isNull();
    }

    @Test
    void e12_leftoversWithoutProofStayAndTheReportSaysSo() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "a");
        MoveEngine engine = lab.engine();
        UUID move = engine.execute(engine.plan(tenant, S2), MoveListener.NONE).move();
        leftover(tenant, UUID.randomUUID(), "ABORTED");
        lab.run(S1, "SELECT 1");

        assertThat(reconcile(false).of(tenant)).singleElement().satisfies(found -> {
            assertThat(found.outcome()).isEqualTo(Outcome.LEFT);
            assertThat(found.remedy()).contains("still has rows").contains("gather");
        });

        assertThat(lab.state(S2, tenant)).isEqualTo(OwnershipState.INCOMING);
        assertThat(notes(S2, tenant)).containsExactly("a");
        assertThat(lab.journal.find(move)).isPresent();
        forget(S2, tenant);
    }

    @Test
    void aMoveUnderWayIsLeftAlone() throws SQLException {
        TenantId tenant = tenant(S1);
        note(S1, tenant, "a");
        ReconcileReport[] seen = new ReconcileReport[1];
        MoveEngine engine = lab.engine();
        engine.execute(engine.plan(tenant, S2), new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                if (move.phase() == MovePhase.COPYING) {
                    seen[0] = reconcile(false);
                }
            }
        });
        assertThat(seen[0].complete()).isTrue();
        assertThat(seen[0].differences()).isEmpty();
        assertThat(lab.owners(tenant)).containsExactly(S2);
    }

    @Test
    void aGenerationNeverStartsAgain() throws SQLException {
        TenantId tenant = tenant(S1);
        DirectoryPast.of(lab); // any past that is not put back
        lab.run(
                S1,
                "UPDATE homeshard.ownership SET state = 'moved', generation = 7, moved_to = NULL WHERE tenant_id = ?",
                tenant.value());
        directory("DELETE FROM homeshard.placement_history WHERE tenant_id = ?", tenant);
        directory("DELETE FROM homeshard.placement WHERE tenant_id = ?", tenant);

        assertThat(kinds(reconcile(false))).containsExactly(DifferenceKind.GENERATION_FORGOTTEN);

        lab.tenant(tenant, S1);
        assertThat(lab.placement(tenant).generation()).isEqualTo(8);
        assertThat(lab.owners(tenant)).containsExactly(S1);
    }

    private static void assertStays(TenantId tenant, ReconcileReport report, String remedy) {
        assertThat(report.of(tenant)).singleElement().satisfies(found -> {
            assertThat(found.outcome()).isEqualTo(Outcome.LEFT);
            assertThat(found.remedy()).contains("tell of app.notes").contains(remedy);
        });
        assertThat(notes(S2, tenant)).containsExactly("a");
    }

    /** The target's rows and reservation as an undone move would leave them, and the source as before. */
    private static void leftover(TenantId tenant, UUID move, String phase) {
        directory("UPDATE homeshard.move SET phase = '" + phase + "' WHERE tenant_id = ?", tenant);
        directory("UPDATE homeshard.placement SET shard_id = 's1', generation = 3 WHERE tenant_id = ?", tenant);
        lab.run(
                S1,
                "UPDATE homeshard.ownership SET state = 'owned', generation = 3, moved_to = NULL WHERE tenant_id = ?",
                tenant.value());
        lab.run(
                S2,
                "UPDATE homeshard.ownership SET state = 'incoming', move_id = ? WHERE tenant_id = ?",
                move,
                tenant.value());
    }

    private static void forget(ShardId shard, TenantId tenant) {
        lab.run(shard, "DELETE FROM homeshard.ownership WHERE tenant_id = ?", tenant.value());
    }

    private static void directory(String sql, TenantId tenant) {
        try (Connection connection = lab.directoryDataSource.getConnection()) {
            Jdbc.run(connection, sql, tenant.value());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TenantId tenant(ShardId shard) throws SQLException {
        TenantId tenant = TenantId.of("acme-" + UUID.randomUUID());
        lab.tenant(tenant, shard);
        return tenant;
    }

    private static void note(ShardId shard, TenantId tenant, String body) {
        lab.run(shard, "INSERT INTO app.notes VALUES (?, ?)", tenant.value(), body);
    }

    private static List<String> notes(ShardId shard, TenantId tenant) {
        return lab.query(shard, "SELECT body FROM app.notes WHERE tenant_id = ? ORDER BY 1", tenant.value());
    }

    private static List<DifferenceKind> kinds(ReconcileReport report) {
        return report.differences().stream().map(Difference::kind).toList();
    }

    /** By a role that is no superuser, on the second shard. */
    private static ReconcileReport reconcileAs(String role) {
        return CutOffPools.reconciliation(
                        lab, new OtherRolePools(lab.parts(MoveLab.CONFIG).pools(), S2, role))
                .reconcile(false);
    }

    private static ReconcileReport reconcile(boolean dryRun) {
        return CutOffPools.reconciliation(lab, CUT_OFF).reconcile(dryRun);
    }
}
