package io.homeshard.migrate.copy;

import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;

/**
 * Rows that go through one COPY on each side.
 *
 * @param table whose rows
 * @param form how they are sent
 * @param range which of them
 */
record CopyPart(TenantTable table, TableForm form, RowRange range) {
    TableName name() {
        return table.name();
    }
}
