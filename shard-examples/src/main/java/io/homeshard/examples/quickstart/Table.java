package io.homeshard.examples.quickstart;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table of text: the first column to the left, numbers to the right. Not thread-safe. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... header) {
        rows.add(List.of(header));
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
                boolean number =
                        r > 0 && !cell.isEmpty() && cell.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
                line.append(number ? pad + cell : cell + pad).append("  ");
            }
            out.println(line.toString().stripTrailing());
            if (r == 0) {
                out.println("  " + "-".repeat(line.toString().stripTrailing().length() - 2));
            }
        }
    }
}
