package io.homeshard.attack;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;

/** What the directory knew of a tenant at an earlier time, and brings it back. */
final class DirectoryBackup {
    private final AttackLab lab;
    private final TenantId tenant;
    private boolean taken;

    DirectoryBackup(AttackLab lab, TenantId tenant) {
        this.lab = lab;
        this.tenant = tenant;
    }

    void take() throws SQLException {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            directory.setAutoCommit(false);
            for (String table : new String[] {"placement", "move"}) {
                Jdbc.run(directory, "DROP TABLE IF EXISTS public.old_" + table);
                Jdbc.run(
                        directory,
                        "CREATE TABLE public.old_" + table + " AS SELECT * FROM homeshard." + table
                                + " WHERE tenant_id = ?",
                        tenant.value());
            }
            Jdbc.run(directory, "DROP TABLE IF EXISTS public.old_epoch");
            Jdbc.run(directory, "CREATE TABLE public.old_epoch AS SELECT last_value FROM homeshard.mover_epoch");
            directory.commit();
            taken = true;
        }
    }

    void restore(boolean sequenceToo) throws SQLException {
        if (!taken) {
            return;
        }
        String t = tenant.value();
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            directory.setAutoCommit(false);
            Jdbc.run(directory, """
                    DELETE FROM homeshard.move_step s USING homeshard.move m WHERE m.id = s.move_id AND m.tenant_id = ?
                    """, t);
            Jdbc.run(directory, "UPDATE homeshard.move SET superseded_by = NULL WHERE tenant_id = ?", t);
            Jdbc.run(directory, "DELETE FROM homeshard.move WHERE tenant_id = ?", t);
            Jdbc.run(directory, "INSERT INTO homeshard.move SELECT * FROM public.old_move ORDER BY started_at DESC");
            Jdbc.run(directory, """
                    UPDATE homeshard.placement p SET (shard_id, generation, state)
                         = (SELECT o.shard_id, o.generation, o.state FROM public.old_placement o)
                     WHERE p.tenant_id = ?
                    """, t);
            if (sequenceToo) {
                Jdbc.run(
                        directory, "SELECT setval('homeshard.mover_epoch', (SELECT last_value FROM public.old_epoch))");
            }
            directory.commit();
        }
    }
}
