package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The whole directory as it was at one moment, to be put back as a backup or a standby that lags would. */
final class DirectoryPast {
    private static final List<String> TABLES = List.of(
            "directory_meta",
            "placement",
            "placement_history",
            "map_version",
            "provisioning",
            "move",
            "move_step",
            "move_certificate",
            "move_progress");
    private final MoveLab lab;

    private DirectoryPast(MoveLab lab) {
        this.lab = lab;
    }

    static DirectoryPast of(MoveLab lab) {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(directory, "DROP SCHEMA IF EXISTS past CASCADE");
            Jdbc.run(directory, "CREATE SCHEMA past");
            for (String table : TABLES) {
                Jdbc.run(directory, "CREATE TABLE past." + table + " AS TABLE homeshard." + table);
            }
            Jdbc.run(directory, "CREATE TABLE past.epoch AS SELECT last_value, is_called FROM homeshard.mover_epoch");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new DirectoryPast(lab);
    }

    void putBack() {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            directory.setAutoCommit(false);
            for (int i = TABLES.size() - 1; i >= 0; i--) {
                Jdbc.run(directory, "DELETE FROM homeshard." + TABLES.get(i));
            }
            for (String table : TABLES) {
                String always = table.equals("move_step") ? " OVERRIDING SYSTEM VALUE" : "";
                Jdbc.run(directory, "INSERT INTO homeshard." + table + always + " SELECT * FROM past." + table);
            }
            Jdbc.run(directory, "SELECT setval('homeshard.mover_epoch', last_value, is_called) FROM past.epoch");
            directory.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
