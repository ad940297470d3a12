package io.homeshard.migrate.move;

import io.homeshard.migrate.verify.RowDifference;
import java.util.List;

/** Both shards were read and differ. Carries the rows apart from the message, which holds no tenant data. */
final class RowsDiffer extends MoveStopped {
    private static final long serialVersionUID = 1L;
    private final transient List<RowDifference> rows;

    RowsDiffer(String message, List<RowDifference> rows) {
        super(message);
        this.rows = List.copyOf(rows);
    }

    List<RowDifference> rows() {
        // transient: gone when the exception has travelled
        return rows == null ? List.of() : rows;
    }
}
