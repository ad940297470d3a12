package io.homeshard.guard.bench;

import java.util.List;
import java.util.Locale;

/** Text of tables. Not thread-safe. */
final class Markdown {
    private final StringBuilder text = new StringBuilder();

    /** A line of text between tables. */
    void line(String line) {
        text.append(line).append("\n\n");
    }

    /** The head of a table; numbers stand at the right. */
    void head(List<String> cells) {
        row(cells);
        text.append('|').append("---|").append("--:|".repeat(cells.size() - 1)).append('\n');
    }

    /** A row of it. */
    void row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** The end of a table. */
    void end() {
        text.append('\n');
    }

    /** A number with so many digits behind the point. */
    static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    static String title(String version, String rest) {
        return "**PostgreSQL " + version + (rest.isEmpty() ? "" : ", ") + rest + "**";
    }

    static String tenants(String tenants) {
        return tenants.equals("1") ? "one hot tenant" : tenants + " tenants";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
