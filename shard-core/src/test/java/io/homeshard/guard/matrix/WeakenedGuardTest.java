package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The matrix as judged by faults that guards have had: it must see each of them. */
class WeakenedGuardTest {
    /** Otherwise a fault could show that was not planted. */
    @Test
    void soundPartsShowNothing() throws SQLException {
        String sound = WeakCheck.body(
                WeakCheck.LOCK,
                WeakCheck.READ,
                WeakCheck.ROW_LOCK + WeakCheck.PASS,
                WeakCheck.MOVER + WeakCheck.VERDICT);
        try (GuardedShop shop = GuardedShop.create(owner -> Jdbc.run(owner, sound))) {
            List<Cell> cells = Stream.of(Weakness.values())
                    .filter(weakness -> weakness != Weakness.OPEN_SEARCH_PATH)
                    .flatMap(weakness -> weakness.cells().stream())
                    .distinct()
                    .toList();
            assertThat(MatrixRunner.run(shop, cells)).allMatch(CellResult::right);
        }
    }

    @ParameterizedTest
    @EnumSource
    void faultShows(Weakness weakness) throws SQLException {
        assertThat(weakness.cells()).isNotEmpty();
        try (GuardedShop shop = GuardedShop.create(weakness)) {
            List<CellResult> results = MatrixRunner.run(shop, weakness.cells());
            assertThat(results)
                    .as("cells that could not be played")
                    .allMatch(result -> result.broken().isEmpty());
            assertThat(results).as("cells that show the fault").anyMatch(CellResult::caught);
        }
    }
}
