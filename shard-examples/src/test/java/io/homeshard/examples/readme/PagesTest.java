package io.homeshard.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages say nothing that is not there: tests that they name exist, links lead somewhere, no blank is left open. */
class PagesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z][A-Za-z0-9]*Test)`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final Pattern BLANK = Pattern.compile("@[A-Z]+@");

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Set<String> there;
        try (Stream<Path> files = Files.walk(ROOT)) {
            there = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        Set<String> missing = new TreeSet<>();
        pages().forEach((page, text) -> {
            Matcher names = TEST_NAME.matcher(text);
            while (names.find()) {
                if (!there.contains(names.group(1))) {
                    missing.add(page + ": " + names.group(1));
                }
            }
        });
        assertThat(there).hasSizeGreaterThan(30);
        assertThat(missing).isEmpty();
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        Set<String> dead = new TreeSet<>();
        pages().forEach((page, text) -> {
            Matcher links = LINK.matcher(text);
            while (links.find()) {
                if (!Files.exists(page.getParent().resolve(links.group(1)))) {
                    dead.add(page + ": " + links.group(1));
                }
            }
        });
        assertThat(dead).isEmpty();
    }

    @Test
    void noBlankIsLeftOpen() throws IOException {
        pages().forEach((page, text) -> assertThat(BLANK.matcher(text).find())
                .as("%s has a blank", page)
                .isFalse());
    }

    private static Map<Path, String> pages() throws IOException {
        try (Stream<Path> root = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            Map<Path, String> pages = new TreeMap<>();
            Stream.concat(root, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(file -> pages.put(file, read(file)));
            assertThat(pages).hasSizeGreaterThan(5);
            return pages;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
