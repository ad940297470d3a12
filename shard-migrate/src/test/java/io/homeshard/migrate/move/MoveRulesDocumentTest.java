package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each rule of the protocol names tests that there are, and searches of the model that are made. */
class MoveRulesDocumentTest {
    private static final Pattern RULE = Pattern.compile("(?m)^(\\d+)\\. \\*\\*");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @Test
    void everyRuleNamesWhatShowsIt() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "move-protocol.md"));
        String rules = page.substring(page.indexOf("## Rules that carry the weight"), page.indexOf("## The model"));
        String searches = Files.readString(Path.of("..", "docs", "spec", "ownership-check.sh"));
        Map<String, String> tests = tests();

        List<String> listed =
                ROW.matcher(rules).results().map(row -> row.group(1)).toList();
        assertThat(listed)
                .hasSizeGreaterThanOrEqualTo(13)
                .isEqualTo(
                        RULE.matcher(rules).results().map(rule -> rule.group(1)).toList());
        Matcher row = ROW.matcher(rules);
        while (row.find()) {
            for (int column = 2; column <= 3; column++) {
                List<String> names = NAME.matcher(row.group(column))
                        .results()
                        .map(name -> name.group(1))
                        .toList();
                assertThat(names).as("rule %s, column %s", row.group(1), column).isNotEmpty();
                assertThat(names)
                        .as("of rule %s", row.group(1))
                        .allMatch(name -> name.contains(".")
                                ? isTest(tests, name)
                                : searches.matches("(?s).*-D" + name + "[ \n].*"));
            }
        }
    }

    private static boolean isTest(Map<String, String> tests, String name) {
        String[] parts = name.split("\\.", 2);
        return tests.getOrDefault(parts[0], "").contains("void " + parts[1] + "(");
    }

    /** Sources of the tests of this module by the names of their classes. */
    private static Map<String, String> tests() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            Map<String, String> sources = new TreeMap<>();
            for (Path file :
                    files.filter(f -> f.toString().endsWith("Test.java")).collect(Collectors.toList())) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.merge(name, Files.readString(file), String::concat);
            }
            return sources;
        }
    }
}
