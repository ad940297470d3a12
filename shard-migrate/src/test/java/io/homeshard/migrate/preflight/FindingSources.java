package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.SchemaLine.Kind;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.model.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads off the sources which findings there can be: whatever makes one is looked at, and must be understood. */
final class FindingSources {
    private static final Pattern MADE = Pattern.compile("\\b(?:new\\s+Finding|Finding\\s*\\.\\s*(\\w+))\\s*\\(");
    private static final Pattern LITERAL = Pattern.compile("\"([a-z-]+)\"");
    private static final Pattern SEVERITY = Pattern.compile("\\bSeverity\\.([A-Z]+)\\b");
    private static final Pattern METHOD = Pattern.compile("\\bFinding\\s+(\\w+)\\s*\\(([^)]*)\\)\\s*\\{");
    private static final Pattern NAME_FIRST = Pattern.compile("String\\s+name\\b.*", Pattern.DOTALL);

    private final SortedMap<String, Set<Severity>> found = new TreeMap<>();

    private FindingSources() {}

    /** Severities by name. */
    static SortedMap<String, Set<Severity>> read() throws IOException {
        FindingSources sources = new FindingSources();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java"))
                    .filter(f -> !f.endsWith("Finding.java"))
                    .toList()) {
                sources.look(Files.readString(file));
            }
        }
        return sources.found;
    }

    private void look(String source) {
        Matcher made = MADE.matcher(source);
        while (made.find()) {
            List<String> arguments = Arguments.from(source, made.end());
            String shortcut = made.group(1);
            if (shortcut == null) {
                add(severities(arguments.get(0)), names(arguments.get(1), source, made.start()));
            } else {
                Severity severity = Severity.valueOf(shortcut.toUpperCase(Locale.ROOT));
                add(EnumSet.of(severity), names(arguments.get(0), source, made.start()));
            }
        }
    }

    private void add(Set<Severity> severities, Set<String> names) {
        for (String name : names) {
            // a difference of a schema is what its kind says
            Set<Severity> these = severities.isEmpty() ? EnumSet.of(kind(name).severity()) : severities;
            found.computeIfAbsent(name, n -> EnumSet.noneOf(Severity.class)).addAll(these);
        }
    }

    private static Set<Severity> severities(String expression) {
        if (expression.equals("line.kind().severity()")) {
            return EnumSet.noneOf(Severity.class);
        }
        Set<Severity> all = SEVERITY.matcher(expression)
                .results()
                .map(result -> Severity.valueOf(result.group(1)))
                .collect(Collectors.toSet());
        if (all.isEmpty()) {
            throw new AssertionError("this test has to learn of the severity " + expression);
        }
        return all;
    }

    private static Set<String> names(String expression, String source, int at) {
        switch (expression) {
            case "name":
                return ofWrapper(source, at);
            case "OVER_BUDGET":
                return Set.of(MovePlan.OVER_BUDGET);
            case "rule.finding()":
                return Set.of(rule(true).finding(), rule(false).finding());
            case "line.kind().label() + (three ? how : \"-differs\")":
                return ofKinds(source);
            default:
                Set<String> names = LITERAL.matcher(expression)
                        .results()
                        .map(result -> result.group(1))
                        .collect(Collectors.toSet());
                if (names.isEmpty() || expression.contains("+")) {
                    throw new AssertionError("this test has to learn of the name " + expression);
                }
                return names;
        }
    }

    /** The names that the method around a place is called with. */
    private static Set<String> ofWrapper(String source, int at) {
        Matcher method = METHOD.matcher(source);
        String called = "";
        while (method.find() && method.end() <= at) {
            called = NAME_FIRST.matcher(method.group(2)).matches() ? method.group(1) : "";
        }
        if (called.isEmpty()) {
            throw new AssertionError("this test has to learn of a name that is handed down: " + source.substring(at));
        }
        Matcher call = Pattern.compile("(?<!Finding )\\b" + called + "\\s*\\(").matcher(source);
        return call.results()
                .map(result -> Arguments.from(source, result.end()).get(0))
                .flatMap(name -> names(name, source, at).stream())
                .collect(Collectors.toSet());
    }

    private static KeyRule rule(boolean exclusion) {
        return new KeyRule(new TableName("a", "t"), "k", exclusion, false, null, List.of());
    }

    private static Set<String> ofKinds(String source) {
        String three = source.replaceAll("(?s).*boolean three = ([^;]*);.*", "$1");
        Set<String> endings = Pattern.compile("\"(-[a-z]+)\"")
                .matcher(source)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toSet());
        return Arrays.stream(Kind.values())
                .flatMap(kind -> three.matches("(?s).*\\bKind\\." + kind + "\\b.*")
                        ? endings.stream().map(ending -> label(kind) + ending)
                        : Stream.of(label(kind) + "-differs"))
                .collect(Collectors.toSet());
    }

    private static String label(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Kind kind(String name) {
        return Arrays.stream(Kind.values())
                .filter(kind -> name.startsWith(label(kind) + "-"))
                .max(Comparator.comparing(kind -> label(kind).length()))
                .orElseThrow();
    }
}
