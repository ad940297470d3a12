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
 * @param entering whether the guard wants a transaction to enter a tenant before it writes
 */
record Stage(GuardedShop shop, Session writer, Mover mover, Session observer, ExecutorService thread, boolean entering)
        implements AutoCloseable {
    private static final String ENTERING = "SELECT to_regprocedure('homeshard.shape_entered(text, text)') IS NOT NULL";

    static Stage open(GuardedShop shop) throws SQLException {
        Database database = shop.database();
        Mover mover = new Mover(WriteGuard.create(), Session.of(database.connect()));
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "matrix-writer");
            made.setDaemon(true);
            return made;
        });
        Session observer = Session.of(database.connect());
        boolean entering = observer.value(ENTERING).equals("true");
        return new Stage(shop, Session.of(shop.connectAsApp()), mover, observer, thread, entering);
    }

    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        writer.close();
        mover.session().close();
        observer.close();
    }
}
