package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.List;

/** Text passes through UTF8 on its way; a target of another encoding may have no room for it. */
final class Encodings implements Check {
    private static final String ENCODING = "SELECT current_setting('server_encoding')";

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        String from = Jdbc.one(scene.source().connection(), ENCODING, row -> row.getString(1));
        String to = Jdbc.one(scene.target().connection(), ENCODING, row -> row.getString(1));
        if (from.equals(to)) {
            return List.of();
        }
        String problem = "has encoding " + to + ", the source has " + from;
        // SQL_ASCII stores whatever bytes it was given: nobody knows what they mean
        boolean converts = to.equals("UTF8") && !from.equals("SQL_ASCII");
        return List.of(
                converts
                        ? Finding.warning(
                                "encoding-differs",
                                scene.target().shard(),
                                problem + ", so that lengths in bytes and orders by code change",
                                "accept it, or create the target's database with ENCODING '" + from + "'")
                        : Finding.error(
                                "encoding-differs",
                                scene.target().shard(),
                                problem + ", which may hold text that the target cannot",
                                "create the target's database with ENCODING '" + from + "'"));
    }
}
