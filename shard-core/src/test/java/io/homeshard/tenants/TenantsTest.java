package io.homeshard.tenants;

import static io.homeshard.tenants.TenantsFixture.S1;
import static io.homeshard.tenants.TenantsFixture.S2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementException;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantExistsException;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TenantsTest {
    private static final TenantId ACME = TenantId.of("acme");

    private final TenantsFixture fixture = new TenantsFixture();
    private final Tenants tenants = fixture.tenants();
    private final Shards shards = Shards.of(fixture.directory, fixture.admin);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aCreatedTenantIsActiveInTheDirectoryAndOwnedByItsShardOnly() {
        Placement placement = tenants.createOn(ACME, S1);
        assertThat(placement.state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(placement.shard()).isEqualTo(S1);
        assertThat(placement.generation()).isEqualTo(1);
        Ownership owned = fixture.onShard(S1, ACME).orElseThrow();
        assertThat(owned.state()).isEqualTo(OwnershipState.OWNED);
        assertThat(owned.generation()).isEqualTo(1);
        assertThat(fixture.onShard(S2, ACME)).isEmpty();
        assertThat(fixture.journaled()).isZero();
        assertThat(tenants.find(ACME)).contains(placement);
        assertThat(tenants.list(Optional.empty(), 10)).containsExactly(placement);
        assertThat(tenants.repair()).isEqualTo(new RepairReport(List.of(), List.of(), List.of()));
    }

    @Test
    void thePolicyPlacesAmongShardsThatTakeNewTenants() {
        Set<ShardId> used = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            used.add(tenants.create(TenantId.of("t" + i)).shard());
        }
        assertThat(used).containsExactlyInAnyOrder(S1, S2);
        shards.setStatus(S2, ShardStatus.DRAINING);
        for (int i = 0; i < 6; i++) {
            assertThat(tenants.create(TenantId.of("u" + i)).shard()).isEqualTo(S1);
        }
        shards.setStatus(S1, ShardStatus.READONLY);
        assertThatThrownBy(() -> tenants.create(ACME))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("no shard takes new tenants: s1 is readonly: shards().setStatus(")
                .hasMessageContaining("; s2 is draining: shards().setStatus(");
        assertThat(tenants.find(ACME)).isEmpty();
    }

    @Test
    void aDedicatedShardIsForTenantsPlacedByName() {
        Shard s1 = shards.find(S1).orElseThrow();
        shards.setStatus(S2, ShardStatus.OFFLINE);
        assertThat(shards.list()).extracting(Shard::id).containsExactly(S1, S2);
        assertThat(shards.add(s1)).isEqualTo(s1);
        dedicate();
        assertThatThrownBy(() -> tenants.create(ACME))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("s1 is dedicated: takes tenants by tenants().createOn(..) only");
        assertThat(tenants.createOn(ACME, S1).shard()).isEqualTo(S1);
    }

    private void dedicate() {
        inDirectory("UPDATE homeshard.shard SET dedicated = true");
    }

    private void inDirectory(String sql) {
        try (Connection connection = fixture.cluster.directory().connect()) {
            Jdbc.run(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withoutAShardThatTakesTenantsTheRemedyIsSaid() {
        inDirectory("UPDATE homeshard.shard SET weight = 0 WHERE shard_id = 's2'");
        inDirectory("UPDATE homeshard.shard SET status = 'offline', bootstrapped = false WHERE shard_id = 's1'");
        assertThatThrownBy(() -> tenants.create(ACME))
                .isInstanceOf(PlacementException.class)
                .hasMessage("placement - no shard takes new tenants: s1 is offline: its schema was never rolled out,"
                        + " SchemaRollout.migrate(); s2 has weight=0: takes tenants by tenants().createOn(..) only");
        assertThatThrownBy(() -> tenants.createOn(ACME, S1))
                .isInstanceOf(PlacementException.class)
                .hasMessage("shard s1 - takes no new tenants: s1 is offline: its schema was never rolled out,"
                        + " SchemaRollout.migrate() (status=offline)");
        assertThat(tenants.createOn(ACME, S2).shard()).isEqualTo(S2);
    }

    @Test
    void withoutAnyShardTheRemedyIsSaid() {
        inDirectory("DELETE FROM homeshard.shard");
        assertThatThrownBy(() -> tenants.create(ACME))
                .isInstanceOf(PlacementException.class)
                .hasMessageStartingWith("placement - no shard is registered: shards().add(..)");
    }

    @Test
    void whatCannotBeCreatedIsRefused() {
        tenants.createOn(ACME, S1);
        assertThatThrownBy(() -> tenants.createOn(ACME, S2))
                .isInstanceOf(TenantExistsException.class)
                .hasMessageContaining("acme");
        assertThatThrownBy(() -> tenants.createOn(TenantId.of("x"), ShardId.of("nowhere")))
                .isInstanceOf(PlacementException.class);
        shards.setStatus(S2, ShardStatus.DRAINING);
        assertThatThrownBy(() -> tenants.createOn(TenantId.of("x"), S2))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("status=draining");
    }

    @Test
    void aShardThatCannotBeReachedIsReportedAndDoesNotKeepOthersWaiting() {
        TenantId other = TenantId.of("other");
        Tenants dying = fixture.tenants(step -> {
            if (step == ProvisioningStep.COMMITTED) {
                throw new Crash();
            }
        });
        fixture.unreachable.add(S1);
        assertThatThrownBy(() -> tenants.createOn(ACME, S1))
                .isInstanceOf(ShardUnavailableException.class)
                .hasMessageContaining("shard s1 (generation 1)")
                .hasMessageContaining("repair() will undo it");
        assertThat(tenants.find(ACME).orElseThrow().state()).isEqualTo(PlacementState.PROVISIONING);
        assertThatThrownBy(() -> dying.createOn(other, S2)).isInstanceOf(Crash.class);
        fixture.expire();

        RepairReport report = tenants.repair();
        assertThat(report.finished()).containsExactly(other);
        assertThat(report.left()).extracting(RepairReport.Left::tenant).containsExactly(ACME);
        assertThat(report.left().get(0).why()).isEqualTo("shard s1 - could not be asked (sqlstate=08001)");
        assertThat(report.complete()).isFalse();

        fixture.unreachable.clear();
        assertThat(tenants.repair().undone()).as("need not wait for a lease").containsExactly(ACME);
        assertThat(tenants.createOn(ACME, S1).generation()).isEqualTo(2);
        assertThat(fixture.disagreements(ACME)).isEmpty();
        assertThat(fixture.disagreements(other)).isEmpty();
    }

    /** Stops a creator where a process would die. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }
}
