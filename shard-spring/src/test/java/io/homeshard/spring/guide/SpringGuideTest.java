package io.homeshard.spring.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.Homeshard;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.spring.boot.HomeshardAutoConfiguration;
import io.homeshard.spring.boot.HomeshardProperties;
import io.homeshard.spring.boot.HomeshardWebAutoConfiguration;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcClientAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** docs/spring.md: its code is run, and is the code that was run; its table has every property. */
class SpringGuideTest {
    private static final Path PAGE = Path.of("..", "docs", "spring.md");
    private static final Path SOURCES = Path.of("src", "test", "java", "io", "homeshard", "spring", "guide");
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern MARKED =
            Pattern.compile("// guide: (?!end)\\w.*?\n(.*?)// guide: end", Pattern.DOTALL);
    private static final TenantId ACME = TenantId.of("acme");
    private static final String INSERT = "INSERT INTO app.note (tenant_id, id) VALUES (?, ?)";

    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    @Test
    void theApplicationOfTheGuideStartsFromNothingAndRunsATransactionAgain(TestCluster cluster) {
        runner(cluster).run(context -> {
            assertThat(context).hasNotFailed();
            Homeshard homeshard = context.getBean(Homeshard.class);
            homeshard.tenants().createOn(ACME, ShardId.of("s1"));
            assertThat(context.getBeansOfType(FilterRegistrationBean.class)).hasSize(1);
            assertThat(context.getBean(FilterRegistrationBean.class).getUrlPatterns())
                    .isEqualTo(Set.of("/api/*"));

            JdbcClient jdbc = context.getBean(JdbcClient.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            AtomicInteger runs = new AtomicInteger();
            new Retries(homeshard)
                    .inTransactionOf(
                            ACME,
                            () -> transaction.execute(status -> {
                                jdbc.sql("SELECT count(*) FROM app.note")
                                        .query(Integer.class)
                                        .single();
                                if (runs.incrementAndGet() == 1) {
                                    TenantMover mover = TenantMover.of(homeshard);
                                    // it has written nothing yet
                                    MovePlan plan =
                                            mover.plan(ACME, ShardId.of("s2")).accepting("no-rows");
                                    assertThat(mover.execute(plan).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
                                }
                                return jdbc.sql(INSERT).params(ACME.value(), 7).update();
                            }));
            assertThat(runs).hasValue(2);
            assertThat(JdbcClient.create(cluster.shard(1).dataSource())
                            .sql("SELECT id FROM app.note")
                            .query(Integer.class)
                            .list())
                    .containsExactly(7);
        });
    }

    @Test
    void theCodeOfThePageIsTheCodeThatWasRun() throws Exception {
        List<String> run = Stream.of("ShardsConfiguration.java", "Retries.java")
                .flatMap(file -> blocks(MARKED, SOURCES.resolve(file)))
                .toList();
        assertThat(run).hasSize(4);
        assertThat(blocks(CODE, PAGE).toList()).containsAll(run);
    }

    @Test
    void everyPropertyIsInTheTable() throws Exception {
        String page = Files.readString(PAGE);
        assertThat(names("homeshard", HomeshardProperties.class).toList())
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static Stream<String> names(String prefix, Class<?> type) {
        return Stream.of(type.getRecordComponents()).flatMap(component -> {
            String name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                return names(name, component.getType());
            }
            return component.getType() == Map.class ? names(name + ".<name>", value(component)) : Stream.of(name);
        });
    }

    private static Class<?> value(RecordComponent map) {
        return (Class<?>) ((ParameterizedType) map.getGenericType()).getActualTypeArguments()[1];
    }

    private static Stream<String> blocks(Pattern pattern, Path file) {
        try {
            Matcher matcher = pattern.matcher(Files.readString(file));
            return matcher.results().map(found -> found.group(1).replaceAll("\\s", "")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WebApplicationContextRunner runner(TestCluster cluster) {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HomeshardAutoConfiguration.class,
                        HomeshardWebAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        JdbcClientAutoConfiguration.class))
                .withUserConfiguration(ShardsConfiguration.class)
                .withPropertyValues(
                        "homeshard.directory.url=" + cluster.directory().jdbcUrl(),
                        "homeshard.directory.username=" + cluster.directory().user(),
                        "homeshard.directory.password=" + cluster.directory().password(),
                        "homeshard.login.username=" + cluster.shard(0).user(),
                        "homeshard.login.password=" + cluster.shard(0).password(),
                        "homeshard.tables.schemas=app",
                        "homeshard.tables.reference=app.currencies",
                        "homeshard.shards.s1.url=" + cluster.shard(0).jdbcUrl(),
                        "homeshard.shards.s2.url=" + cluster.shard(1).jdbcUrl());
    }
}
