package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The connection is lost while a commit is under way, or while none is. */
class OutcomeTest {
    /** Ends the session from within its own COMMIT. */
    private static final String DIE_AT_COMMIT = """
            CREATE FUNCTION app.die() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER die AFTER INSERT ON app.note DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.id = 666) EXECUTE FUNCTION app.die()""";

    @Test
    void isUnknownAtCommitAndInAutocommitAndKeepsItsSqlState() throws SQLException {
        try (ShardedApp app = ShardedApp.start(1)) {
            TenantId one = app.tenant("t_one", "s1");
            try (Connection connection = app.database("s1").connect()) {
                connection.createStatement().execute(DIE_AT_COMMIT);
            }
            Homeshard homeshard = app.homeshard();
            assertThatThrownBy(() -> homeshard.run(one, () -> {
                        try (Connection connection = homeshard.dataSource().getConnection()) {
                            connection.setAutoCommit(false);
                            ShardedApp.insertNote(connection, one, 666);
                            connection.commit();
                        }
                    }))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("s1");
            assertThatThrownBy(() -> homeshard.run(one, () -> {
                        try (Connection connection = homeshard.dataSource().getConnection()) {
                            ShardedApp.insertNote(connection, one, 666);
                        }
                    }))
                    .isInstanceOf(OutcomeUnknownException.class);
            try (ShardScope scope = ShardContext.open(one);
                    Connection connection = homeshard.dataSource().getConnection()) {
                assertThat(scope.tenant()).isEqualTo(one);
                assertThatThrownBy(() -> ShardedApp.insertNote(connection, one, 666))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                lost -> assertThat(lost.getSQLState()).isEqualTo("57P01"))
                        .hasCauseInstanceOf(OutcomeUnknownException.class);
            }
        }
    }

    @Test
    void isUnknownAtACommitInSqlText() throws SQLException {
        try (ShardedApp app = ShardedApp.start(1)) {
            TenantId one = app.tenant("t_one", "s1");
            try (Connection connection = app.database("s1").connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(DIE_AT_COMMIT);
            }
            Homeshard homeshard = app.homeshard();
            for (boolean prepared : new boolean[] {true, false}) {
                assertThatThrownBy(() -> homeshard.run(one, () -> {
                            try (Connection connection = homeshard.dataSource().getConnection();
                                    Statement statement = connection.createStatement()) {
                                connection.setAutoCommit(false);
                                ShardedApp.insertNote(connection, one, 666);
                                if (prepared) {
                                    Jdbc.run(connection, "COMMIT");
                                } else {
                                    statement.execute("\n end");
                                }
                            }
                        }))
                        .isInstanceOf(OutcomeUnknownException.class);
            }
        }
    }

    @Test
    void isKnownBeforeTheCommit() throws SQLException {
        try (ShardedApp app = ShardedApp.start(1)) {
            TenantId one = app.tenant("t_one", "s1");
            Homeshard homeshard = app.homeshard();
            assertThatThrownBy(() -> homeshard.run(one, () -> {
                        try (Connection connection = homeshard.dataSource().getConnection()) {
                            connection.setAutoCommit(false);
                            ShardedApp.insertNote(connection, one, 1);
                            Jdbc.run(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
                        }
                    }))
                    .isInstanceOf(ShardUnavailableException.class)
                    .hasMessageContaining("before anything was committed");
            homeshard.run(one, () -> {
                try (Connection connection = homeshard.dataSource().getConnection()) {
                    ShardedApp.insertNote(connection, one, 1);
                }
            });
            assertThat(app.notes("s1", one)).isEqualTo(1);
        }
    }
}
