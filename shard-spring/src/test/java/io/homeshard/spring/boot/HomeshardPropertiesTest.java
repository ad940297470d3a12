package io.homeshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Nothing is connected here: a wrong property ends the start before. */
class HomeshardPropertiesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "homeshard.directory.url=                                      | homeshard.directory.url - must be set",
                "homeshard.directory.url=jdbc:postgresql://h/d?password=secret | homeshard.directory.url - must not carry",
                "homeshard.tables.tenant-column=                               | homeshard.tables.tenant-column - must",
                "homeshard.tables.schemas=                                     | homeshard.tables.schemas - must name",
                "homeshard.tables.schemas=homeshard                            | homeshard.tables - schemas must not",
                "homeshard.tables.reference=currencies                         | homeshard.tables.reference - table must",
                "homeshard.tables.ignore=a.b.c                                 | homeshard.tables.ignore - table must",
                "homeshard.shards.s1.weight=1                                  | homeshard.shards.s1.url - must be set",
                "homeshard.shards.s1.url=jdbc:postgresql://h/d?password=secret | homeshard.shards.s1.url - must not carry",
                "homeshard.shards.s1.url=jdbc:postgresql://h/d?user=secret     | homeshard.shards.s1.url - must not carry",
                "homeshard.shards.s1.url=jdbc:mysql://h/d                      | homeshard.shards.s1.url - jdbcUrl of",
                "homeshard.shards.1.url=jdbc:postgresql://h/d                  | homeshard.shards.1.url - shardId must",
            })
    void aWrongValueEndsTheStartByThePropertysName(String property, String message) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HomeshardAutoConfiguration.class))
                .withPropertyValues("homeshard.directory.url=jdbc:postgresql://directory/homeshard")
                .withPropertyValues(property)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(message)
                        .hasMessageNotContaining("secret"));
    }

    @ParameterizedTest
    @CsvSource({"-1", "10001"})
    void soDoesAWrongWeight(String weight) {
        aWrongValueEndsTheStart("homeshard.shards.s1.weight=" + weight, "homeshard.shards.s1.weight - weight must be");
    }

    private static void aWrongValueEndsTheStart(String property, String message) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HomeshardAutoConfiguration.class))
                .withPropertyValues(
                        "homeshard.directory.url=jdbc:postgresql://directory/homeshard",
                        "homeshard.shards.s1.url=jdbc:postgresql://h/d",
                        property)
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(message));
    }
}
