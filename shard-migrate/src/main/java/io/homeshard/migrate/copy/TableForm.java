package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the rows of a table are sent.
 *
 * @param format the form
 * @param columns those that are sent, in order
 */
record TableForm(CopyFormat format, List<SentColumn> columns) {
    TableForm {
        columns = List.copyOf(columns);
    }

    /**
     * A column that is sent.
     *
     * @param name its name
     * @param cast what to cast it to on its way out; empty for nothing
     */
    record SentColumn(String name, String cast) {}

    /** The columns as the target lists them: their physical order may differ between shards. */
    String names() {
        return columns.stream().map(SentColumn::name).map(Identifiers::quote).collect(Collectors.joining(", "));
    }

    /** The columns as the source selects them. */
    String expressions() {
        return columns.stream()
                .map(column -> Identifiers.quote(column.name()) + column.cast())
                .collect(Collectors.joining(", "));
    }
}
