package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static io.homeshard.guard.GuardedShard.tenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sweeping deletes rows of its own tenant, in batches, and only where the shard does not own the tenant. */
class SweepTest {
    private static final TableName NOTE = TableName.parse("public.note");
    private static final TableName EV = TableName.parse("public.ev");
    private static final TableName TREE = TableName.parse("public.tree");

    private GuardedShard shard;
    private Connection connection;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.withNotes();
        connection = shard.connect();
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        shard.close();
    }

    private long sweep(MoverToken token, TableName table, int limit) throws SQLException {
        return shard.guard.sweep(connection, token, table, limit);
    }

    @Test
    void batchesLeaveOtherTenantsAlone() throws SQLException {
        TenantId going = shard.owned();
        TenantId staying = shard.owned();
        String insert =
                "INSERT INTO note (tenant_id, id) SELECT t, i FROM unnest(ARRAY[?, ?]) t, generate_series(1, 25) i";
        Jdbc.update(connection, insert, going.value(), staying.value());
        String digest = "SELECT md5(string_agg(n::text, ',' ORDER BY id)) FROM note n WHERE tenant_id = ?";
        String before = GuardedShard.text(connection, digest, staying.value());
        MoverToken token = shard.moved(going);
        assertThat(sweep(token, NOTE, 10)).isEqualTo(10);
        assertThat(sweep(token, NOTE, 10)).isEqualTo(10);
        assertThat(sweep(token, NOTE, 10)).isEqualTo(5);
        assertThat(sweep(token, NOTE, 10)).isZero();
        assertThat(GuardedShard.text(connection, digest, staying.value())).isEqualTo(before);
    }

    @Test
    void whatTheShardOwnsOrAnotherMoveHoldsIsNotSwept() throws SQLException {
        TenantId owned = shard.owned();
        shard.write(owned, 1);
        fails("HS004", () -> sweep(mover(owned), NOTE, 10));
        MoverToken freezing = shard.frozen(owned);
        fails("HS004", () -> sweep(freezing, NOTE, 10));
        TenantId moved = shard.owned();
        shard.write(moved, 1);
        shard.moved(moved);
        fails("HS004", () -> sweep(mover(moved), NOTE, 10));
        fails("HS004", () -> sweep(mover(tenant()), NOTE, 10));
        assertThat(shard.notes(owned) + shard.notes(moved)).isEqualTo(2);
    }

    @Test
    void rowsOfOthersThatHangOnTheTenantsRowsByACascadeStopIt() throws SQLException {
        shard.sql(
                "CREATE TABLE doc (tenant_id text, id int, PRIMARY KEY (tenant_id, id))",
                "CREATE TABLE page (tenant_id text, doc int, FOREIGN KEY (tenant_id, doc) REFERENCES doc ON DELETE CASCADE)",
                "CREATE TABLE share (tenant_id text, owner text, doc int,"
                        + " FOREIGN KEY (owner, doc) REFERENCES doc ON DELETE CASCADE)",
                "CREATE TABLE seen (owner text, doc int, FOREIGN KEY (owner, doc) REFERENCES doc ON DELETE SET NULL)");
        shard.install(NOTES);
        TableName docs = TableName.parse("public.doc");
        TenantId going = shard.owned();
        TenantId staying = shard.owned();
        Jdbc.update(connection, "INSERT INTO doc VALUES (?, 1)", going.value());
        Jdbc.update(connection, "INSERT INTO page VALUES (?, 1)", going.value());
        Jdbc.update(connection, "INSERT INTO share VALUES (?, ?, 1)", going.value(), going.value());
        Jdbc.update(connection, "INSERT INTO share VALUES (?, ?, 1)", staying.value(), going.value());
        Jdbc.update(connection, "INSERT INTO seen VALUES (?, 1)", going.value());
        MoverToken token = shard.moved(going);
        fails("23001", () -> sweep(token, docs, 10));
        Jdbc.update(connection, "DELETE FROM share WHERE tenant_id = ?", staying.value());
        fails("23001", () -> sweep(token, docs, 10)); // a table without tenant
        assertThat(shard.number("SELECT count(*) FROM doc")).isEqualTo(1);
        Jdbc.update(connection, "DELETE FROM seen");
        assertThat(sweep(token, docs, 10)).isEqualTo(1);
        assertThat(shard.number("SELECT count(*) FROM share")).isZero();
    }

    @Test
    void onlyDeclaredTablesAreSwept() throws SQLException {
        MoverToken token = shard.moved(shard.owned());
        shard.sql("CREATE TABLE plain (id int)");
        fails("22023", () -> sweep(token, TableName.parse("public.plain"), 10));
        fails("42P01", () -> sweep(token, TableName.parse("public.nowhere"), 10));
        fails("22023", () -> sweep(token, NOTE, 0));
    }

    @Test
    void partitionsAreSweptOneAfterTheOtherWithinTheLimit() throws SQLException {
        shard.sql(
                "CREATE TABLE ev (tenant_id text, part int, id int) PARTITION BY LIST (part)",
                "CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1)",
                "CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2) PARTITION BY RANGE (id)",
                "CREATE TABLE ev20 PARTITION OF ev2 FOR VALUES FROM (0) TO (100)");
        shard.install(NOTES);
        TenantId going = shard.owned();
        TenantId staying = shard.owned();
        String insert = "INSERT INTO ev SELECT t, p, i FROM unnest(ARRAY[?, ?]) t, generate_series(1, 2) p,"
                + " generate_series(1, 8) i";
        Jdbc.update(connection, insert, going.value(), staying.value());
        MoverToken token = shard.moved(going);
        assertThat(sweep(token, EV, 5)).isEqualTo(5);
        assertThat(sweep(token, EV, 5)).isEqualTo(5);
        assertThat(sweep(token, TableName.parse("public.ev2"), 2)).isEqualTo(2);
        assertThat(sweep(token, EV, 5)).isEqualTo(4);
        assertThat(shard.number("SELECT count(*) FROM ev")).isEqualTo(16);
    }

    @Test
    void inheritanceChildrenAreSweptByThemselves() throws SQLException {
        shard.sql("CREATE TABLE doc (tenant_id text)", "CREATE TABLE letter (seal int) INHERITS (doc)");
        shard.install(NOTES);
        TenantId going = shard.owned();
        Jdbc.update(connection, "INSERT INTO doc VALUES (?)", going.value());
        Jdbc.update(connection, "INSERT INTO letter VALUES (?, 1), (?, 2)", going.value(), going.value());
        MoverToken token = shard.moved(going);
        assertThat(sweep(token, TableName.parse("public.doc"), 10)).isEqualTo(1);
        assertThat(sweep(token, TableName.parse("public.letter"), 10)).isEqualTo(2);
    }

    @Test
    void rowsThatReferToEachOtherGoTogether() throws SQLException {
        for (String deferrable : new String[] {"", "DEFERRABLE INITIALLY DEFERRED"}) {
            shard.sql(
                    "DROP TABLE IF EXISTS tree",
                    "CREATE TABLE tree (tenant_id text, id int, parent int, PRIMARY KEY (tenant_id, id),"
                            + " FOREIGN KEY (tenant_id, parent) REFERENCES tree " + deferrable + ")");
            shard.install(NOTES);
            TenantId going = shard.owned();
            Jdbc.update(
                    connection,
                    "INSERT INTO tree SELECT ?, i, NULLIF(i - 1, 0) FROM generate_series(1, 20) i",
                    going.value());
            MoverToken token = shard.moved(going);
            assertThat(sweep(token, TREE, 5)).isEqualTo(20);
            assertThat(sweep(token, TREE, 5)).isZero();
        }
    }

    @Test
    void aReferenceFromAnotherTableIsReported() throws SQLException {
        shard.sql("CREATE TABLE leaf (tenant_id text, note int, FOREIGN KEY (tenant_id, note) REFERENCES note)");
        shard.install(NOTES);
        TenantId going = shard.owned();
        shard.write(going, 1);
        Jdbc.update(connection, "INSERT INTO leaf VALUES (?, 1)", going.value());
        MoverToken token = shard.moved(going);
        fails("23503", () -> sweep(token, NOTE, 5));
        assertThat(sweep(token, TableName.parse("public.leaf"), 5)).isEqualTo(1);
        assertThat(sweep(token, NOTE, 5)).isEqualTo(1);
    }
}
