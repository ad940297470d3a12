package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.guard.shape.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plays the pairwise matrix and the special cells against the shapes named in {@code homeshard.guard.shape}, else against
 * all, and reports. That a shape is wrong is a result, not a failure: only the installed one has to be right.
 */
@Tag("shapes")
class ShapeMatrixTest {
    private static final Path REPORTS = Path.of("target", "shapes");

    @Test
    void judgesShapes() throws SQLException, IOException {
        List<ShapeVerdict> verdicts = new ArrayList<>();
        for (Shape shape : chosen()) {
            ShapeVerdict verdict = judge(shape);
            System.out.println(verdict.row());
            verdicts.add(verdict);
        }
        report(verdicts);
        for (ShapeVerdict verdict : verdicts) {
            assertThat(verdict.results()).hasSizeGreaterThan(300);
            if (verdict.shape().equals(Shape.DEFAULT)) {
                assertThat(verdict.wrong().size())
                        .as("wrong cells, printed above")
                        .isZero();
            } else if (verdict.shape().equals(Shape.named("none"))) {
                assertThat(verdict.wrong().size())
                        .as("wrong cells without a guard")
                        .isGreaterThan(300);
            }
        }
    }

    private static List<Shape> chosen() {
        String names = System.getProperty("homeshard.guard.shape", "");
        return names.isEmpty()
                ? Shape.all()
                : Stream.of(names.split(",")).map(Shape::named).toList();
    }

    private static ShapeVerdict judge(Shape shape) throws SQLException {
        Candidate candidate = shape.candidate();
        try (GuardedShop shop = GuardedShop.create(candidate)) {
            List<Cell> cells = Stream.concat(CellSelection.pairwise().stream(), SpecialCells.of(candidate).stream())
                    .toList();
            return new ShapeVerdict(shape, version(shop), MatrixRunner.run(shop, cells));
        }
    }

    private static String version(GuardedShop shop) throws SQLException {
        try (Connection connection = shop.database().connect()) {
            return connection.getMetaData().getDatabaseProductVersion().split(" ")[0];
        }
    }

    private static void report(List<ShapeVerdict> verdicts) throws IOException {
        System.out.println("shape                    postgres cells  wrong  broken");
        for (ShapeVerdict verdict : verdicts) {
            System.out.println(verdict.row());
            verdict.findings().forEach(System.out::println);
        }
        Files.createDirectories(REPORTS);
        Path csv = REPORTS.resolve("matrix-" + verdicts.get(0).postgres() + ".csv");
        Files.write(
                csv,
                Stream.concat(
                                Stream.of(ShapeVerdict.CSV_HEAD),
                                verdicts.stream().flatMap(ShapeVerdict::csv))
                        .toList());
        System.out.println("written: " + csv);
    }
}
