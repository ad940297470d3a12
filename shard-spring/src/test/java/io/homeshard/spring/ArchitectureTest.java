package io.homeshard.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who may use whom, as a table of package prefixes; a package that is not in it has no place yet. */
class ArchitectureTest {
    private static final List<String> ALWAYS = List.of("java.", "javax.sql.", "org.slf4j.", "org.jspecify.");
    private static final String OURS = "io.homeshard.";

    private static final Map<String, List<String>> MAY_USE = Map.of(
            "io.homeshard.spring",
                    List.of(
                            "io.homeshard.Homeshard",
                            "io.homeshard.model.",
                            "io.homeshard.context.",
                            "io.homeshard.routing.",
                            "org.springframework.jdbc.",
                            "org.springframework.core.",
                            "org.springframework.beans."),
            "io.homeshard.spring.web",
                    List.of(
                            "io.homeshard.spring.",
                            "io.homeshard.model.",
                            "io.homeshard.context.",
                            "org.springframework.web.",
                            "org.springframework.transaction.",
                            "jakarta.servlet."),
            "io.homeshard.spring.boot",
                    List.of(
                            "io.homeshard.Homeshard",
                            "io.homeshard.model.",
                            "io.homeshard.pool.",
                            "io.homeshard.cache.",
                            "io.homeshard.observe.",
                            "io.homeshard.placement.",
                            "io.homeshard.tenants.",
                            "io.homeshard.spring.",
                            "org.springframework."));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.homeshard.spring");

    @Test
    void everyPackageUsesOnlyWhatTheTableAllows() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass user : CLASSES) {
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (!used.isPrimitive() && !allowed(user.getPackageName(), used)) {
                    wrong.add(user.getName() + " -> " + used.getName());
                }
            }
        }
        assertThat(CLASSES).isNotEmpty();
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPackageIsInTheTableAndThereAreNoCycles() {
        Set<String> packages = new TreeSet<>();
        CLASSES.forEach(type -> packages.add(type.getPackageName()));
        assertThat(MAY_USE.keySet()).containsExactlyInAnyOrderElementsOf(packages);
        SlicesRuleDefinition.slices()
                .matching("io.homeshard.spring.(*)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    private static boolean allowed(String user, JavaClass used) {
        String name = used.getName();
        return used.getPackageName().equals(user)
                || (!name.startsWith(OURS) && ALWAYS.stream().anyMatch(name::startsWith))
                || MAY_USE.getOrDefault(user, List.of()).stream().anyMatch(name::startsWith);
    }
}
