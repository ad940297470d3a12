package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;

/** What a client sends first in each transaction. Everything but {@link #NONE} makes a transaction of one statement. */
enum Entry {
    /** Nothing: the guard needs nothing. */
    NONE(""),

    /** The guard's strict mode. */
    ENTER("SELECT homeshard.enter(?, 1)"),

    /** The fence that people write by hand. */
    BY_HAND("SELECT state FROM by_hand.ownership WHERE tenant_id = ? FOR SHARE");

    private static final String CLEAR = "DELETE FROM shop.bulk";

    private final String sql;

    Entry(String sql) {
        this.sql = sql;
    }

    /**
     * Removes what COPY has left; of the first tenant only where there is an entry.
     *
     * @param owner a session of the owner, in autocommit
     */
    void clear(Connection owner) throws SQLException {
        if (this == NONE) {
            Jdbc.run(owner, CLEAR);
        } else {
            owner.setAutoCommit(false);
            Jdbc.run(owner, sql, Keys.tenant(0));
            Jdbc.run(owner, CLEAR);
            owner.commit();
            owner.setAutoCommit(true);
        }
        Jdbc.run(owner, "VACUUM shop.bulk");
    }

    /** The statement; its one parameter is the tenant. */
    String sql() {
        return sql;
    }
}
