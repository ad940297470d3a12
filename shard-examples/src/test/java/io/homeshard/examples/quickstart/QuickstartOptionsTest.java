package io.homeshard.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuickstartOptionsTest {
    @Test
    void haveDefaultsAndAreRead() {
        assertThat(QuickstartOptions.from(new Properties())).isEqualTo(new QuickstartOptions(200, 10, 42));
        Properties properties = new Properties();
        properties.setProperty("quickstart.tenants", "5");
        properties.setProperty("quickstart.seconds", "1");
        properties.setProperty("quickstart.seed", "-9000000000");
        assertThat(QuickstartOptions.from(properties)).isEqualTo(new QuickstartOptions(5, 1, -9_000_000_000L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "quickstart.tenants | abc         | quickstart.tenants must be 3 to 100000, was 'abc'",
                "quickstart.tenants | 2           | quickstart.tenants must be 3 to 100000, was '2'",
                "quickstart.tenants | 9999999999  | quickstart.tenants must be 3 to 100000, was '9999999999'",
                "quickstart.seconds | 1.5         | quickstart.seconds must be 1 to 3600, was '1.5'",
                "quickstart.seconds | 0           | quickstart.seconds must be 1 to 3600, was '0'",
                "quickstart.seed    | many        | quickstart.seed must be a whole number, was 'many'"
            })
    void wrongOnesAreNotReplacedByTheDefault(String name, String value, String message) {
        Properties properties = new Properties();
        properties.setProperty(name, value);
        assertThatThrownBy(() -> QuickstartOptions.from(properties))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "-Dquickstart.tenants=abc      | quickstart: refused - quickstart.tenants must be 3 to 100000, was 'abc'",
                "-Dhomeshard.test.postgres=abc | quickstart: refused - quickstart.postgres must be embedded,"
                        + " testcontainers or external, was 'abc'"
            })
    @Timeout(60)
    void theProgramSaysSoInOneLineAndEndsWith1(String option, String line) throws Exception {
        Process program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Quickstart.class.getName()))
                .start();
        try {
            String error = new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(error.strip()).isEqualTo(line);
            assertThat(program.exitValue()).isOne();
        } finally {
            program.destroyForcibly();
        }
    }
}
