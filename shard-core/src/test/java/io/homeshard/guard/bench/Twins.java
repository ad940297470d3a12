package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A contender and an unguarded twin that goes through the same operations with the same keys, each in a database of its
 * own: neither has more rows, dead rows or index pages than the other.
 *
 * @param contender what is compared
 * @param guarded its session
 * @param bare the twin's
 * @param owners of both databases, to clean up and to look at the log
 */
record Twins(Contender contender, Client guarded, Client bare, List<Connection> owners) implements AutoCloseable {
    private static final String LOG = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn";

    Twins {
        owners = List.copyOf(owners);
    }

    /**
     * Makes two databases.
     *
     * @param parameters of both sessions' URLs
     */
    static Twins create(Shop shop, Contender contender, String parameters) throws SQLException {
        String guarded = shop.database(contender);
        String bare = shop.database(Contender.UNGUARDED);
        return new Twins(
                contender,
                new Client(shop.application(guarded, parameters), contender.entry(), new Keys(1)),
                new Client(shop.application(bare, parameters), Entry.NONE, new Keys(1)),
                List.of(shop.server().owner(guarded), shop.server().owner(bare)));
    }

    List<Client> both() {
        return List.of(guarded, bare);
    }

    void among(int tenants) throws SQLException {
        guarded.among(tenants);
        bare.among(tenants);
    }

    /** Removes what COPY has left. */
    void clean(Operation operation) throws SQLException {
        if (operation == Operation.COPY) {
            contender.entry().clear(owners.get(0));
            Entry.NONE.clear(owners.get(1));
        }
    }

    /** The end of the server's log, in bytes. */
    double log() throws SQLException {
        return Jdbc.<Double>one(owners.get(0), LOG, row -> row.getDouble(1));
    }

    @Override
    public void close() throws SQLException {
        guarded.close();
        bare.close();
        for (Connection owner : owners) {
            owner.close();
        }
    }
}
