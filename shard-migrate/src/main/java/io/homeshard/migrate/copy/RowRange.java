package io.homeshard.migrate.copy;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a table's heap: blocks from one to below another. Under one snapshot each row lies at one place, so that
 * ranges that cover all blocks hold each row once, whether the table has a key or not.
 *
 * @param from first block
 * @param below first block behind it; {@link #OPEN} for the end of the table, wherever that is
 */
record RowRange(long from, long below) {
    static final long OPEN = -1;
    static final RowRange ALL = new RowRange(0, OPEN);

    /** The heap in equal parts. */
    static List<RowRange> split(long blocks, int parts) {
        List<RowRange> ranges = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            long below = part == parts - 1 ? OPEN : blocks * (part + 1) / parts;
            ranges.add(new RowRange(blocks * part / parts, below));
        }
        return ranges;
    }

    /** What to put behind a WHERE clause; PostgreSQL reads the blocks of the range only. */
    String condition() {
        String lower = from == 0 ? "" : " AND ctid OPERATOR(pg_catalog.>=) '(" + from + ",0)'::pg_catalog.tid";
        String upper = below == OPEN ? "" : " AND ctid OPERATOR(pg_catalog.<) '(" + below + ",0)'::pg_catalog.tid";
        return lower + upper;
    }
}
