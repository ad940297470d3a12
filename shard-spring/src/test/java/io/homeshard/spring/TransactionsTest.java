package io.homeshard.spring;

import static io.homeshard.spring.NoteApp.NEIGHBOUR;
import static io.homeshard.spring.NoteApp.ONE;
import static io.homeshard.spring.NoteApp.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.context.ShardContext;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSwitchException;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionDefinition;

class TransactionsTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private NoteApp app;

    @BeforeEach
    void start(TestCluster cluster) {
        app = NoteApp.start(cluster);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"t_two", "t_neighbour"})
    void a1_theTenantCannotBeSwitchedInsideATransaction(String name) {
        TenantId other = TenantId.of(name);
        assertThatThrownBy(() -> inTransactionOfOne(() -> app.homeshard().run(other, () -> app.insert(other, 2))))
                .isInstanceOf(TenantSwitchException.class)
                .hasMessageContaining(ONE.value())
                .hasMessageContaining(name);
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"t_two", "t_neighbour"})
    void a1_norByATransactionOfItsOwn(String name) {
        TenantId other = TenantId.of(name);
        assertThatThrownBy(() -> inTransactionOfOne(() -> app.homeshard()
                        .run(
                                other,
                                () -> app.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                        .executeWithoutResult(status -> app.insert(other, 2)))))
                .isInstanceOf(TenantSwitchException.class)
                .hasMessageContaining(name);
        nothingIsLeft();
    }

    @Test
    void a1_norWithAConnectionThatSpringHasBoundToTheThread() {
        assertThatThrownBy(() -> inTransactionOfOne(() -> {
                    DataSourceUtils.getConnection(app.dataSource());
                    ShardContext.open(TWO).close();
                }))
                .isInstanceOf(TenantSwitchException.class);
        nothingIsLeft();
    }

    /** Without a transaction Spring binds the connection too; only its own refusal stands between the tenants then. */
    @ParameterizedTest
    @ValueSource(strings = {"t_two", "t_neighbour"})
    void a1_aConnectionBoundWithoutTransactionWorksForNoOtherTenant(String name) {
        TenantId other = TenantId.of(name);
        assertThatThrownBy(() -> app.homeshard()
                        .run(
                                ONE,
                                () -> app.transaction(TransactionDefinition.PROPAGATION_SUPPORTS)
                                        .executeWithoutResult(status -> {
                                            app.insert(ONE, 1);
                                            app.homeshard().run(other, () -> app.insert(other, 2));
                                        })))
                .isInstanceOf(TenantSwitchException.class)
                .hasMessageContaining(name);
        assertThat(app.rows(0)).containsExactly("t_one/1");
        assertThat(app.rows(1)).isEmpty();
    }

    @Test
    void requiresNewOfTheSameTenantCommitsOnItsOwn() {
        assertThatThrownBy(() -> inTransactionOfOne(() -> {
                    app.homeshard()
                            .run(
                                    ONE,
                                    () -> app.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                            .executeWithoutResult(status -> app.insert(ONE, 2)));
                    throw new IllegalStateException("of the application");
                }))
                .hasMessage("of the application");
        assertThat(app.rows(0)).containsExactly("t_one/2");
    }

    @Test
    void anExceptionRollsBackAndFreesTheThreadForAnotherTenant() {
        assertThatThrownBy(() -> inTransactionOfOne(() -> {
                    throw new IllegalStateException("of the application");
                }))
                .hasMessage("of the application");
        nothingIsLeft();
        app.homeshard().run(NEIGHBOUR, () -> app.insert(NEIGHBOUR, 1));
        assertThat(app.rows(0)).containsExactly("t_neighbour/1");
    }

    @Test
    void aNestedScopeHasTransactionsOfItsOwnAndTheOuterOneComesBack() {
        app.homeshard().run(ONE, () -> {
            app.homeshard().run(TWO, () -> app.transaction().executeWithoutResult(status -> app.insert(TWO, 1)));
            assertThat(ShardContext.tenant()).contains(ONE);
            app.transaction().executeWithoutResult(status -> app.insert(ONE, 1));
        });
        assertThat(app.rows(0)).containsExactly("t_one/1");
        assertThat(app.rows(1)).containsExactly("t_two/1");
    }

    private void inTransactionOfOne(Runnable work) {
        app.homeshard()
                .run(
                        ONE,
                        () -> app.transaction().executeWithoutResult(status -> {
                            app.insert(ONE, 1);
                            work.run();
                        }));
    }

    private void nothingIsLeft() {
        assertThat(List.of(app.rows(0), app.rows(1))).allMatch(List::isEmpty);
        assertThat(ShardContext.tenant()).isEmpty();
    }
}
