package io.homeshard.directory;

import io.homeshard.observe.Clocks;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Tells of every change of a placement, in the order of map versions, soon after it was committed.
 *
 * <p>A notification is only a hint that there is something to read. What is told comes from the history, which the feed
 * reads after each notification, after each (re)connection and at least every {@value #HEARTBEAT_MILLIS} ms; so a lost
 * notification delays a change and loses none. Thread-safe.
 */
public interface PlacementFeed extends AutoCloseable {
    /** Longest time between two looks at the history while the directory can be reached, in milliseconds. */
    int HEARTBEAT_MILLIS = 2_000;

    /**
     * Starts to listen, on a connection of its own and in a daemon thread named {@code homeshard-feed}. Returns at once,
     * also when the directory cannot be reached or has no schema yet: the feed goes on trying.
     *
     * @param dataSource hands out connections to the directory, in autocommit; one is kept
     * @param sink is told, always by the feed's thread; what it throws is logged and swallowed
     * @return the feed
     */
    static PlacementFeed listen(DataSource dataSource, Consumer<PlacementChange> sink) {
        return listen(dataSource, sink, Clocks.system());
    }

    /**
     * The same with clocks of the caller's.
     *
     * @param dataSource hands out connections to the directory, in autocommit; one is kept
     * @param sink is told, always by the feed's thread
     * @param clocks waits between two attempts to connect
     * @return the feed
     */
    static PlacementFeed listen(DataSource dataSource, Consumer<PlacementChange> sink, Clocks clocks) {
        return JdbcPlacementFeed.start(dataSource, sink, clocks);
    }

    /**
     * Whether the feed is connected and has caught up once since. While it is not, changes are learned from the
     * directory only by reading it.
     *
     * @return true when changes arrive
     */
    boolean live();

    /** Ends the feed promptly and gives its connection back. Nothing is told after it has returned. */
    @Override
    void close();
}
