package io.homeshard.routing;

import java.sql.SQLException;

/** Something sent to the server. */
@FunctionalInterface
interface SqlCall<T> {
    T run() throws SQLException;
}
