package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Whether the mover's role is a mover at all: the guard takes nobody for one who is no member of its owner, and without
 * inheriting from him nothing of schema {@code homeshard} can be called or read. Asked before anything else.
 */
final class Membership {
    private static final String OWNER = """
            SELECT quote_ident(pg_get_userbyid(n.nspowner)), pg_has_role(session_user, n.nspowner, 'MEMBER'),
                   pg_has_role(current_user, n.nspowner, 'USAGE'), current_setting('server_version_num')::int,
                   quote_ident(current_user)
              FROM pg_namespace n WHERE n.nspname = 'homeshard'
            """;

    private Membership() {}

    private record Owner(String name, boolean member, boolean inherits, int version, String role) {}

    /** What is lacking on one shard; empty when all is well, or when it is no shard. */
    static List<Finding> find(Side side) throws SQLException {
        Connection connection = side.connection();
        return Jdbc.list(
                        connection,
                        OWNER,
                        row -> new Owner(
                                row.getString(1),
                                row.getBoolean(2),
                                row.getBoolean(3),
                                row.getInt(4),
                                row.getString(5)))
                .stream()
                .filter(owner -> !owner.member() || !owner.inherits())
                .map(owner -> Finding.error(
                        "privilege-missing",
                        side.shard(),
                        "role " + owner.role() + " is no inheriting member of " + owner.name()
                                + ", who owns schema homeshard: it may not call the mover functions",
                        remedy(owner)))
                .toList();
    }

    private static String remedy(Owner owner) {
        String grant = "GRANT " + owner.name() + " TO " + owner.role();
        return owner.version() >= 160000
                ? grant + " WITH INHERIT TRUE"
                : grant + "; ALTER ROLE " + owner.role() + " INHERIT";
    }
}
