package io.homeshard.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.model.Placement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The protocol under random schedules: never two owners, and the owner has what was acknowledged, at every step. */
class ChaosTest {
    private static final long FIRST = Long.getLong("chaos.seed", 1);
    private static final int SEEDS = Integer.getInteger("chaos.seeds", 3);
    private static final int STEPS = Integer.getInteger("chaos.steps", 1000);
    private static AttackLab lab;

    @BeforeAll
    static void open() throws SQLException {
        lab = new AttackLab(3, """
                CREATE SCHEMA app;
                CREATE TABLE app.rows (tenant_id text NOT NULL, id int NOT NULL, val int NOT NULL,
                  PRIMARY KEY (tenant_id, id));
                """);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @Test
    void oneOwnerWithAllAcknowledgedRows() throws SQLException {
        int finished = 0;
        int undone = 0;
        for (long seed : seeds()) {
            try (Chaos chaos = new Chaos(lab, seed, false, false)) {
                chaos.run(STEPS);
                chaos.settle();
                Placement placement = lab.directory.find(chaos.tenant).orElseThrow();
                assertThat(lab.owners(chaos.tenant))
                        .as("seed %s %s", seed, chaos.history)
                        .containsExactly(placement.shard());
                assertThat(lab.ownership(placement.shard(), chaos.tenant)
                                .orElseThrow()
                                .generation())
                        .isEqualTo(placement.generation());
                finished += count(chaos, MovePhase.RETAINED, MovePhase.DONE, MovePhase.CLEANING);
                undone += count(chaos, MovePhase.ABORTED);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(finished).as("moves that were finished").isGreaterThan(SEEDS / 2);
        assertThat(undone).as("moves that were undone").isGreaterThan(SEEDS / 2);
    }

    @Test
    void neverTwoOwnersThoughTheDirectoryForgets() throws SQLException {
        for (long seed : seeds()) {
            try (Chaos chaos = new Chaos(lab, seed, true, false)) {
                chaos.run(STEPS);
                chaos.settle();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void neverTwoOwnersThoughTheDirectoryForgetsEpochsToo() throws SQLException {
        for (long seed : seeds()) {
            try (Chaos chaos = new Chaos(lab, seed, true, true)) {
                chaos.run(STEPS);
                chaos.settle();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static long[] seeds() {
        return LongStream.range(FIRST, FIRST + SEEDS).toArray();
    }

    private static int count(Chaos chaos, MovePhase... phases) {
        return (int) lab.journal.ofTenant(chaos.tenant).stream()
                .filter(move -> List.of(phases).contains(move.phase()))
                .count();
    }
}
