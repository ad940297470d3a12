package io.homeshard.examples.quickstart;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table of text: numbers to the right unless it is all text, the rest to the left. Not thread-safe. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();
    private final boolean numbersRight;

    Table(String... header) {
        this(true, header);
    }

    private Table(boolean numbersRight, String... header) {
        this.numbersRight = numbersRight;
        rows.add(List.of(header));
    }

    /** One whose columns mix numbers with other text, so that all of it begins at the left. */
    static Table ofText(String... header) {
        return new Table(false, header);
    }

    void row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
    }

    void print(PrintStream out) {
        int[] width = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < width.length; i++) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        }
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < width.length; i++) {
                String cell = rows.get(r).get(i);
                String pad = " ".repeat(width[i] - cell.length());
                boolean number = numbersRight
                        && r > 0
                        && !cell.isEmpty()
                        && cell.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
                line.append(number ? pad + cell : cell + pad).append("  ");
            }
            out.println(line.toString().stripTrailing());
            if (r == 0) {
                out.println("  " + "-".repeat(line.toString().stripTrailing().length() - 2));
            }
        }
    }
}
