package io.homeshard.examples.runbook;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Prints sections of lines; used by several threads.
 *
 * @param out where to
 */
record Console(PrintStream out) {
    void section(String title) {
        line("");
        line("--- " + title);
    }

    void line(String format, @Nullable Object... values) {
        line(String.format(Locale.ROOT, format, values));
    }

    void line(String text) {
        out.println(text);
        out.flush();
    }

    void each(List<?> things) {
        things.forEach(thing -> line("  " + thing));
    }
}
