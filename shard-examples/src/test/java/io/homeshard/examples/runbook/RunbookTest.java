package io.homeshard.examples.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The operations page shows what the program prints; numbers may differ. */
class RunbookTest {
    private static final Path PAGE = Path.of("..", "docs", "operations.md");
    private static final String OUTPUT = "```text";

    @Test
    void thePageShowsWhatItPrints() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            Runbook.play(new Console(out));
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        System.out.println(text);
        assertThat(text.stripTrailing()).endsWith("runbook: ok");
        Set<String> lines = text.lines().map(RunbookTest::form).collect(Collectors.toSet());
        List<String> shown = outputOf(PAGE);
        assertThat(shown).hasSizeGreaterThan(30);
        assertThat(shown.stream().filter(line -> !lines.contains(form(line))).toList())
                .as("lines of the page that the program does not print")
                .isEmpty();
    }

    private static List<String> outputOf(Path page) throws IOException {
        List<String> shown = new ArrayList<>();
        boolean output = false;
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("```")) {
                output = line.equals(OUTPUT);
            } else if (output && !line.isBlank()) {
                shown.add(line);
            }
        }
        return shown;
    }

    /** A line without what differs from run to run. */
    private static String form(String line) {
        return line.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}", "ID")
                .replaceAll("PT[0-9.HMS]+", "PT")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME")
                .replaceAll("[0-9]+", "0")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
