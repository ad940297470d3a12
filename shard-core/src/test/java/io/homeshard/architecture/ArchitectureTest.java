package io.homeshard.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.homeshard.Homeshard;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Who may use whom. The table may change with the code, in one commit that says why. What it says without prose:
 * {@code routing} does not see {@code cache}, so correctness cannot depend on it; {@code placement} does no I/O; only
 * {@code tenants} and {@code routing} see directory and guard together, the two witnesses of who owns a tenant; nothing
 * points at the front door.
 */
class ArchitectureTest {
    private static final String ROOT = "io.homeshard";

    private static final Map<String, Set<String>> TABLE = table();

    private static final Map<String, Set<String>> THIRD_PARTY = Map.of(
            "pool", Set.of("com.zaxxer.hikari"),
            "cache", Set.of("com.github.benmanes.caffeine"),
            "directory", Set.of("org.postgresql"));

    private static final ArchRule ONLY_OBSERVE_HAS_TIME = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".observe")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class);

    /** What lies where the front door lies: main code only, from a folder or a jar. */
    private static final JavaClasses CORE = new ClassFileImporter()
            .importUrl(Homeshard.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void theImportIsNotEmpty() {
        assertThat(CORE.size()).isGreaterThan(100);
    }

    @Test
    void everyPackageUsesOnlyWhatItsRowAllows() {
        assertThat(new AllowedUses(ROOT, TABLE, THIRD_PARTY).violations(CORE)).isEmpty();
    }

    @Test
    void noPackagesFormACycle() {
        cycles(ROOT).check(CORE);
    }

    @Test
    void onlyObserveReadsClocksAndSleeps() {
        ONLY_OBSERVE_HAS_TIME.check(CORE);
    }

    @Test
    void illegalUsesAreFound() {
        String root = "io.homeshard.architecture.illegal";
        JavaClasses illegal = new ClassFileImporter().importPackages(root);
        List<String> found = new AllowedUses(root, TABLE, THIRD_PARTY).violations(illegal);
        assertThat(found)
                .anyMatch(line -> line.contains("illegal.cache.Peeking") && line.contains("illegal.pool.Pooled"))
                .anyMatch(line -> line.contains("illegal.pool.Pooled") && line.contains("illegal.cache.Peeking"))
                .anyMatch(line -> line.contains("illegal.cache.Peeking") && line.contains("com.zaxxer.hikari"))
                .anyMatch(line -> line.contains("illegal.rogue.Rogue") && line.contains("has no row"))
                .noneMatch(line -> line.contains("illegal.pool.Pooled.pool(") && line.contains("type <com.zaxxer"));
        assertThatThrownBy(() -> cycles(root).check(illegal))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cycle detected");
        assertThatThrownBy(() -> ONLY_OBSERVE_HAS_TIME.check(illegal))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("System.nanoTime()")
                .hasMessageContaining("Thread.sleep(long)");
    }

    private static ArchRule cycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    private static Map<String, Set<String>> table() {
        Map<String, Set<String>> table = new LinkedHashMap<>();
        table.put("model", Set.of());
        for (String leaf : List.of("observe", "context", "placement", "internal.jdbc")) {
            table.put(leaf, Set.of("model"));
        }
        // internal.jdbc: the SQLStates after which a connection is not used again have one home
        table.put("pool", Set.of("model", "observe", "internal.jdbc"));
        table.put("directory", Set.of("model", "observe", "internal.jdbc"));
        table.put("guard", Set.of("model", "observe", "internal.jdbc"));
        table.put("claim", Set.of("model", "observe", "internal.jdbc"));
        table.put("cache", Set.of("model", "observe", "directory"));
        table.put("health", Set.of("model", "observe", "pool", "directory", "internal.jdbc"));
        table.put(
                "tenants",
                Set.of("model", "observe", "directory", "guard", "claim", "placement", "pool", "internal.jdbc"));
        // internal.jdbc: the SQLStates that a router reacts to have one home
        table.put(
                "routing",
                Set.of("model", "observe", "context", "directory", "guard", "pool", "health", "internal.jdbc"));
        Set<String> all = new HashSet<>(table.keySet());
        table.put("", all);
        return table;
    }
}
