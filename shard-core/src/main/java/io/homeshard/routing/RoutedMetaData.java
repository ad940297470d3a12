package io.homeshard.routing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import org.jspecify.annotations.Nullable;

/** The driver's metadata, whose {@code getConnection} leads back to the routed connection. */
final class RoutedMetaData {
    private RoutedMetaData() {}

    static DatabaseMetaData over(DatabaseMetaData delegate, RoutedConnection connection) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                RoutedMetaData.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (self, method, arguments) ->
                        method.getName().equals("getConnection") ? connection : call(delegate, method, arguments));
    }

    private static @Nullable Object call(DatabaseMetaData delegate, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(delegate, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
