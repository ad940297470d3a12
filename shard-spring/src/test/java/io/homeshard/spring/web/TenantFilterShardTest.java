package io.homeshard.spring.web;

import static io.homeshard.spring.NoteApp.NEIGHBOUR;
import static io.homeshard.spring.NoteApp.ONE;
import static io.homeshard.spring.NoteApp.S2;
import static io.homeshard.spring.NoteApp.TWO;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.context.ShardContext;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.TenantId;
import io.homeshard.spring.NoteApp;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import jakarta.servlet.ServletException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What the guard and the network say, as it comes through Spring's JDBC and transactions, and as a client sees it. */
class TenantFilterShardTest {
    private static final String UPDATE = "UPDATE app.note SET id = id WHERE tenant_id = ?";
    private static final String END = "SELECT pg_terminate_backend(?)";

    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private TestCluster cluster;
    private NoteApp app;
    private TenantFilter filter;

    @BeforeEach
    void start(TestCluster started) {
        cluster = started;
        app = NoteApp.start(cluster);
        filter = new TenantFilter(
                request -> Optional.ofNullable(request.getRemoteUser()).map(TenantId::of), app.homeshard()::translate);
        for (TenantId tenant : new TenantId[] {ONE, NEIGHBOUR, TWO}) {
            app.homeshard().run(tenant, () -> app.insert(tenant, 1));
        }
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @Test
    void aFrozenTenantIs503WithRetryAfterAndOthersAreNotConcerned() throws Exception {
        WriteGuard guard = app.homeshard().parts().guard();
        MoverToken mover = new MoverToken(ONE, UUID.randomUUID(), 1_000, 1);
        try (Connection shard = cluster.shard(0).connect()) {
            assertThat(guard.takeOver(shard, mover).ok()).isTrue();
            assertThat(guard.freeze(shard, mover, 1, Duration.ofMillis(500)).ok())
                    .isTrue();
            assertThat(request(ONE, () -> update(ONE))).isEqualTo("503 1");
            assertThat(request(ONE, () -> inTransaction(() -> update(ONE)))).isEqualTo("503 1");
            assertThat(request(ONE, () -> app.jdbc().queryForList("SELECT * FROM app.note")))
                    .isEqualTo("200 null");
            assertThat(request(NEIGHBOUR, () -> update(NEIGHBOUR))).isEqualTo("200 null");
            assertThat(request(TWO, () -> inTransaction(() -> update(TWO)))).isEqualTo("200 null");

            assertThat(guard.unfreeze(shard, mover, 1).ok()).isTrue();
            assertThat(request(ONE, () -> update(ONE))).isEqualTo("200 null");
        }
    }

    @Test
    void aTenantThatMovesDuringItsRequestIs503WithRetryAfter0AndTheNextRequestFindsIt() throws Exception {
        String refused = request(
                ONE,
                () -> inTransaction(() -> {
                    app.jdbc().queryForList("SELECT * FROM app.note");
                    move(ONE);
                    update(ONE);
                }));
        assertThat(refused).isEqualTo("503 0");
        assertThat(request(ONE, () -> update(ONE))).isEqualTo("200 null");
        assertThat(request(NEIGHBOUR, () -> update(NEIGHBOUR))).isEqualTo("200 null");
    }

    @Test
    void anUnknownTenantIs404() throws Exception {
        TenantId nobody = TenantId.of("nobody");
        assertThat(request(nobody, () -> update(nobody))).isEqualTo("404 null");
        assertThat(request(nobody, () -> inTransaction(() -> update(nobody)))).isEqualTo("404 null");
    }

    /** The rollback over the lost connection fails as well; Spring throws that failure in place of the first one. */
    @Test
    void aConnectionLostInATransactionIs503() throws Exception {
        String refused = request(
                ONE,
                () -> inTransaction(() -> {
                    Integer backend = app.jdbc().queryForObject("SELECT pg_backend_pid()", Integer.class);
                    NoteApp.on(cluster.shard(0)).queryForObject(END, Boolean.class, backend);
                    update(ONE);
                }));
        assertThat(refused).isEqualTo("503 1");
    }

    @Test
    void aTruncateIs500() throws Exception {
        assertThat(request(ONE, () -> app.jdbc().execute("TRUNCATE app.note"))).isEqualTo("500 null");
    }

    private void update(TenantId tenant) {
        app.jdbc().update(UPDATE, tenant.value());
    }

    private void inTransaction(Runnable work) {
        app.transaction().executeWithoutResult(status -> work.run());
    }

    private void move(TenantId tenant) {
        TenantMover mover = TenantMover.of(app.homeshard());
        assertThat(mover.execute(mover.plan(tenant, S2)).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }

    /** Like a dispatcher: what a controller throws leaves the chain inside a ServletException. */
    private String request(TenantId tenant, Runnable controller) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteUser(tenant.value());
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter.doFilter(request, response, (req, res) -> {
            try {
                controller.run();
            } catch (RuntimeException e) {
                throw new ServletException("Request processing failed", e);
            }
        });
        assertThat(ShardContext.tenant()).isEmpty();
        return response.getStatus() + " " + response.getHeader("Retry-After");
    }
}
