package io.homeshard.migrate;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who may use whom, as a table; a package that is not in it has no place yet. */
class ArchitectureTest {
    private static final String ROOT = "io.homeshard";
    private static final String HERE = ROOT + ".migrate";

    /** JDK, slf4j and JSpecify are allowed to all. */
    private static final List<String> ALWAYS = List.of("java.", "javax.sql.", "org.slf4j.", "org.jspecify.");

    /** Packages of ours, each relative to the root; "move" stands for the package below the front door, and so on. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry("migrate.json", Set.of()),
            entry("migrate.throttle", Set.of("model", "observe")),
            entry("migrate.catalog", Set.of("model", "internal.jdbc")),
            // verify: the application's checks are tried as they will be run
            entry(
                    "migrate.preflight",
                    Set.of(
                            "migrate.catalog",
                            "migrate.verify",
                            "model",
                            "observe",
                            "directory",
                            "guard",
                            "internal.jdbc")),
            entry(
                    "migrate.schema",
                    Set.of(
                            "migrate.catalog",
                            "migrate.preflight",
                            "model",
                            "observe",
                            "pool",
                            "directory",
                            "guard",
                            "internal.jdbc")),
            // guard: a copy writes under the mover's token, which the guard takes
            entry(
                    "migrate.copy",
                    Set.of(
                            "migrate.catalog",
                            "migrate.throttle",
                            "model",
                            "observe",
                            "pool",
                            "guard",
                            "internal.jdbc")),
            entry(
                    "migrate.verify",
                    Set.of("migrate.catalog", "migrate.throttle", "model", "observe", "pool", "internal.jdbc")),
            entry(
                    "migrate.move",
                    Set.of(
                            "migrate.json",
                            "migrate.catalog",
                            "migrate.preflight",
                            "migrate.copy",
                            "migrate.verify",
                            "migrate.throttle",
                            "model",
                            "observe",
                            "pool",
                            "directory",
                            "guard",
                            "tenants",
                            "internal.jdbc")),
            entry(
                    "migrate.drain",
                    Set.of("migrate.move", "migrate.catalog", "model", "observe", "directory", "placement")),
            // copy: sequences are moved on past what is brought home
            entry(
                    "migrate.gather",
                    Set.of(
                            "migrate.json",
                            "migrate.catalog",
                            "migrate.copy",
                            "migrate.verify",
                            "model",
                            "observe",
                            "pool",
                            "directory",
                            "guard",
                            "internal.jdbc")),
            entry(
                    "migrate",
                    Set.of(
                            "",
                            "placement",
                            "migrate.drain",
                            "migrate.gather",
                            "migrate.schema",
                            "migrate.catalog",
                            "migrate.preflight",
                            "migrate.copy",
                            "migrate.verify",
                            "migrate.throttle",
                            "migrate.move",
                            "model",
                            "observe",
                            "pool",
                            "directory",
                            "guard",
                            "internal.jdbc")));

    private static final Map<String, List<String>> THIRD_PARTY = Map.of(
            "migrate.schema", List.of("org.flywaydb."),
            "migrate", List.of("org.flywaydb.core.api.configuration."),
            "migrate.preflight", List.of("org.postgresql."),
            "migrate.copy", List.of("org.postgresql."));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(HERE);

    @Test
    void everyPackageUsesOnlyWhatTheTableAllows() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass user : CLASSES) {
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (!used.isPrimitive() && !allowed(place(user), used)) {
                    wrong.add(user.getName() + " -> " + used.getName());
                }
            }
        }
        assertThat(CLASSES).hasSizeGreaterThan(30);
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPackageIsInTheTable() {
        Set<String> places = new TreeSet<>();
        CLASSES.forEach(type -> places.add(place(type)));
        assertThat(MAY_USE.keySet()).containsAll(places);
    }

    @Test
    void packagesFormNoCycles() {
        SlicesRuleDefinition.slices()
                .matching(HERE + ".(*)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void timeComesFromClocks() {
        Set<String> banned = Set.of(
                "java.time.Instant.now",
                "java.lang.System.nanoTime",
                "java.lang.System.currentTimeMillis",
                "java.lang.Thread.sleep");
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (banned.contains(call.getTargetOwner().getName() + "." + call.getName())) {
                    wrong.add(call.getDescription());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean allowed(String place, JavaClass used) {
        String name = used.getName();
        if (ALWAYS.stream().anyMatch(name::startsWith) || used.getPackageName().startsWith("java.")) {
            return true;
        }
        if (!name.startsWith(ROOT + ".")) {
            return THIRD_PARTY.getOrDefault(place, List.of()).stream().anyMatch(name::startsWith);
        }
        return place.equals(place(used))
                || MAY_USE.getOrDefault(place, Set.of()).contains(place(used));
    }

    private static String place(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    }
}
