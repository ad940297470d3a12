package io.homeshard.guard.matrix;

import io.homeshard.guard.shape.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the matrix says of a shape.
 *
 * @param shape the shape
 * @param postgres version of the server
 * @param results the cells that were played
 */
record ShapeVerdict(Shape shape, String postgres, List<CellResult> results) {
    /** Head of {@link #csv}. */
    static final String CSV_HEAD = "shape,postgres,write,level,course,verdict,what";

    ShapeVerdict {
        results = List.copyOf(results);
    }

    List<CellResult> wrong() {
        return results.stream().filter(result -> !result.right()).toList();
    }

    /** A row of the table: shape, version, cells, wrong ones, and how many of those could not be played to their end. */
    String row() {
        long broken =
                results.stream().filter(result -> !result.broken().isEmpty()).count();
        return "%-24s %-8s %5d %6d %7d".formatted(shape, postgres, results.size(), wrong().size(), broken);
    }

    /** The wrong cells by their course: how many, what was seen, with which writes. */
    List<String> findings() {
        Map<String, List<CellResult>> byCourse = wrong().stream()
                .collect(
                        Collectors.groupingBy(result -> result.cell().courseName(), TreeMap::new, Collectors.toList()));
        return byCourse.entrySet().stream()
                .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
                .map(entry -> finding(entry.getKey(), entry.getValue()))
                .toList();
    }

    private String finding(String course, List<CellResult> cells) {
        long played = results.stream()
                .filter(result -> result.cell().courseName().equals(course))
                .count();
        String writes = played == cells.size()
                ? "all writes"
                : String.join(", ", distinct(cells.stream().map(ShapeVerdict::write)));
        return "  %3d of %d: %s%n        seen: %s%n        with: %s"
                .formatted(
                        cells.size(),
                        played,
                        course,
                        String.join("; ", distinct(cells.stream().flatMap(ShapeVerdict::seen))),
                        writes);
    }

    private static String write(CellResult result) {
        return result.cell().kind() + " (" + result.cell().level().sql() + ")";
    }

    private static Stream<String> seen(CellResult result) {
        String broken = result.broken().lines().skip(1).findFirst().orElse("").strip();
        return Stream.concat(result.wrong().stream(), broken.isEmpty() ? Stream.empty() : Stream.of(broken));
    }

    private static TreeSet<String> distinct(Stream<String> texts) {
        return texts.collect(Collectors.toCollection(TreeSet::new));
    }

    /** One line for each cell. */
    Stream<String> csv() {
        return results.stream()
                .map(result -> Stream.of(
                                shape.name(),
                                postgres,
                                result.cell().kind().name(),
                                result.cell().level().sql(),
                                result.cell().courseName(),
                                result.right() ? "right" : result.broken().isEmpty() ? "wrong" : "broken",
                                seen(result).collect(Collectors.joining("; ")))
                        .map(value -> '"' + value.replace("\"", "\"\"") + '"')
                        .collect(Collectors.joining(",")));
    }
}
