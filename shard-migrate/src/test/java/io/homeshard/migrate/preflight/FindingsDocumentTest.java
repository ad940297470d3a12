package io.homeshard.migrate.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.catalog.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of findings that operators read has every finding of the code, and no other. */
class FindingsDocumentTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([A-Z, ]+) \\| [^|]+ \\| [^|]+ \\| ([^|]+) \\|$");
    private static final Pattern BEGUN = Pattern.compile("(?m)^\\| `");

    @Test
    void listsEveryFindingWithItsSeverities() throws IOException {
        List<String> listed =
                rows().stream().map(row -> row.group(1) + " " + row.group(2)).toList();

        assertThat(listed)
                .hasSizeGreaterThan(50)
                .containsExactlyInAnyOrderElementsOf(FindingSources.read().entrySet().stream()
                        .map(finding -> finding.getKey() + " " + described(finding.getValue()))
                        .toList());
    }

    @Test
    void saysOfWarningsAndOfNothingElseThatTheyCanBeAccepted() throws IOException {
        for (MatchResult row : rows()) {
            String accept = switch (row.group(2)) {
                case "ERROR" -> "no";
                case "NOTE" -> "-";
                case "WARNING" -> "yes: .+";
                default -> "WARNING only: .+";
            };
            assertThat(row.group(3)).as(row.group(1)).matches(accept);
        }
    }

    @Test
    void readsArgumentsWhereverLinesAreBroken() {
        assertThat(Arguments.from("f(a(b, c)\n   ? \"x, )\\\"\" : \"y\",\n d)", 2))
                .containsExactly("a(b, c) ? \"x, )\\\"\" : \"y\"", "d");
    }

    private static List<MatchResult> rows() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "findings.md"));
        List<MatchResult> rows = ROW.matcher(page).results().toList();
        assertThat(rows).as("rows of five columns").hasSize((int)
                BEGUN.matcher(page).results().count());
        return rows;
    }

    private static String described(Set<Severity> severities) {
        return severities.stream()
                .sorted(Comparator.reverseOrder())
                .map(Severity::toString)
                .collect(Collectors.joining(", "));
    }
}
