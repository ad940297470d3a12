package io.homeshard.guard.matrix;

import io.homeshard.guard.WriteGuard;
import io.homeshard.test.Database;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What all cells of a run share: a guarded database and its sessions.
 *
 * @param shop the database
 * @param writer the application's session, with no right on schema homeshard
 * @param mover the mover, on a session of its own
 * @param observer a superuser who looks and prepares
 * @param thread runs a write that is expected to wait
 */
record Stage(GuardedShop shop, Session writer, Mover mover, Session observer, ExecutorService thread)
        implements AutoCloseable {

    static Stage open(GuardedShop shop) throws SQLException {
        Database database = shop.database();
        Mover mover = new Mover(WriteGuard.create(), Session.of(database.connect()));
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "matrix-writer");
            made.setDaemon(true);
            return made;
        });
        return new Stage(shop, Session.of(shop.connectAsApp()), mover, Session.of(database.connect()), thread);
    }

    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        writer.close();
        mover.session().close();
        observer.close();
    }
}
