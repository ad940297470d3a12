package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.List;

/** Room on the target. SQL tells how much is used, never how much is free: what it cannot tell it leaves to a person. */
record DiskSpace(List<TableEstimate> tables) implements Check {
    private static final String USED = """
            SELECT pg_database_size(current_database()),
                   (SELECT quote_ident(t.spcname) FROM pg_database d JOIN pg_tablespace t ON t.oid = d.dattablespace
                     WHERE d.datname = current_database())
            """;

    /** Rows, their indexes, and the log of both. */
    private static final int TIMES = 3;

    private record Used(long bytes, String tablespace) {}

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        long needed = Math.multiplyExact(
                TIMES, tables.stream().mapToLong(TableEstimate::bytes).sum());
        Used used = Jdbc.one(scene.target().connection(), USED, row -> new Used(row.getLong(1), row.getString(2)));
        String numbers = " (needed=" + needed + " bytes, database=" + used.bytes() + " bytes, tablespace="
                + used.tablespace() + ")";
        long most = scene.parts().limits().targetBytes();
        if (used.bytes() > most - needed) {
            return List.of(Finding.error(
                    "target-full",
                    scene.target().shard(),
                    "database would outgrow the shard's max_bytes " + most + numbers,
                    "choose another shard, or raise max_bytes in the directory"));
        }
        return List.of(Finding.note(
                "disk-space",
                scene.target().shard(),
                "PostgreSQL cannot say how much disk is free; the move will take about three times the size of the"
                        + " rows, with indexes and log" + numbers,
                "look at the server's disk"));
    }
}
