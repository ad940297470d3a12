package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.TenantMover;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The mover as an application has it, and routers that have heard of the move or not. */
class FrontDoorTest {
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());

    /** [E1] A router with an old placement is refused by the old shard, and finds the new one at the next try. */
    @Test
    void movesATenantUnderRoutersThatKnowAndThatDoNot() throws SQLException {
        try (MoveLab lab = MoveLab.shop();
                Homeshard listening = homeshard(lab, true);
                Homeshard stale = homeshard(lab, false)) {
            ShardId s2 = lab.shard(2);
            lab.tenant(tenant, lab.shard(1));
            Shop.fill(lab, lab.shard(1), tenant, 3);
            write(listening);
            write(stale);
            TenantMover mover = TenantMover.of(listening);

            MoveReport report = mover.execute(mover.plan(tenant, s2));

            assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
            List<String> old = Shop.rowsOf(lab, lab.shard(1), tenant);
            assertThatThrownBy(() -> write(stale)).isInstanceOf(StaleRouteException.class);
            assertThat(Shop.rowsOf(lab, lab.shard(1), tenant)).isEqualTo(old);
            write(stale);
            MoveLab.await(() -> listening.router().route(tenant).shard().equals(s2));
            write(listening);
            assertThat(lab.count(s2, "SELECT count(*) FROM app.events WHERE tenant_id = ?", tenant.value()))
                    .isEqualTo(5 + 4);
            assertThat(mover.recover()).isEmpty();
            assertThatThrownBy(() -> mover.clean(report.move())).hasMessageContaining("kept until");
            assertThat(mover.cleanNow(report.move()).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
            assertThat(mover.resume(report.move()).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        }
    }

    private void write(Homeshard homeshard) throws SQLException {
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                Jdbc.update(connection, "INSERT INTO app.events (tenant_id) VALUES (?)", tenant.value());
            }
        });
    }

    private static Homeshard homeshard(MoveLab lab, boolean listening) {
        Database any = lab.cluster.directory();
        return Homeshard.builder()
                .directory(lab.directoryDataSource)
                .credentials(shard -> new ShardCredentials(any.user(), any.password()))
                .tables(Shop.TABLES)
                .listen(listening)
                .build();
    }
}
