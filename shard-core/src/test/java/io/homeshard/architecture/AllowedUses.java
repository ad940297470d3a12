package io.homeshard.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A table of allowed uses. Packages are written relative to a root; the root itself is the empty name. Third-party
 * packages are written in full and stand for everything below them.
 */
final class AllowedUses {
    /** Allowed to all: the JDK, slf4j, JSpecify. */
    private static final List<String> ALWAYS = List.of("java", "javax", "org.slf4j", "org.jspecify");

    private final String root;
    private final Map<String, Set<String>> table;
    private final Map<String, Set<String>> thirdParty;

    AllowedUses(String root, Map<String, Set<String>> table, Map<String, Set<String>> thirdParty) {
        this.root = root;
        this.table = table;
        this.thirdParty = thirdParty;
    }

    /** What breaks the table, a line each. */
    List<String> violations(JavaClasses classes) {
        Set<String> violations = new TreeSet<>();
        for (JavaClass type : classes) {
            String from = relative(type.getPackageName());
            if (!table.containsKey(from)) {
                violations.add(type.getName() + " is in package " + type.getPackageName() + " which has no row");
                continue;
            }
            for (Dependency use : type.getDirectDependenciesFromSelf()) {
                JavaClass target = use.getTargetClass().getBaseComponentType();
                if (!target.isPrimitive() && !allowed(from, target.getPackageName())) {
                    violations.add(use.getDescription());
                }
            }
        }
        return new ArrayList<>(violations);
    }

    private boolean allowed(String from, String target) {
        if (inside(target, root)) {
            String to = relative(target);
            return to.equals(from) || table.getOrDefault(from, Set.of()).contains(to);
        }
        return ALWAYS.stream().anyMatch(prefix -> inside(target, prefix))
                || thirdParty.getOrDefault(from, Set.of()).stream().anyMatch(prefix -> inside(target, prefix));
    }

    private String relative(String name) {
        return name.equals(root) ? "" : inside(name, root) ? name.substring(root.length() + 1) : name;
    }

    private static boolean inside(String name, String prefix) {
        return name.equals(prefix) || name.startsWith(prefix + ".");
    }
}
