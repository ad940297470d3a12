package io.homeshard.migrate.gather;

import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the tenant's rows of one table, a page at a time, in one snapshot. */
record StrayReading(Connection shard, TenantId tenant) {
    private static final int PAGE = 500;

    /** What is done with a page. */
    interface Work {
        void page(List<Stray> rows) throws SQLException;
    }

    void pages(RowShape shape, Work work) throws SQLException {
        PinnedTransaction.read(shard, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(shape.rows())) {
                for (int i = 1; i <= RowShape.bound(); i++) {
                    statement.setString(i, tenant.value());
                }
                statement.setFetchSize(PAGE);
                try (ResultSet rows = statement.executeQuery()) {
                    List<Stray> page = new ArrayList<>();
                    while (rows.next()) {
                        Stray next = stray(rows, shape);
                        if (page.size() >= PAGE && !shape.together(page.get(page.size() - 1), next)) {
                            work.page(page);
                            page = new ArrayList<>();
                        }
                        page.add(next);
                    }
                    if (!page.isEmpty()) {
                        work.page(page);
                    }
                }
            }
            return shape;
        });
    }

    private static Stray stray(ResultSet row, RowShape shape) throws SQLException {
        int key = shape.key().size();
        return new Stray(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                texts(row, 4, key),
                texts(row, 4 + key, shape.written().size()));
    }

    private static List<@Nullable String> texts(ResultSet row, int first, int count) throws SQLException {
        List<@Nullable String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(row.getString(first + i));
        }
        return texts;
    }
}
