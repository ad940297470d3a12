package io.homeshard.directory;

import static io.homeshard.directory.DirectoryFixture.ACME;
import static io.homeshard.directory.DirectoryFixture.LEASE;
import static io.homeshard.directory.DirectoryFixture.S1;
import static io.homeshard.directory.DirectoryFixture.S2;
import static io.homeshard.directory.DirectoryFixture.S3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardInUseException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps a shard from being removed, and what remains of one that was. */
class ShardRemovalTest {
    private final DirectoryFixture fixture = new DirectoryFixture();
    private final DirectoryAdmin admin = fixture.admin;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aShardGoesWhenNothingRefersToItAnyMore() {
        Provisioning creation = admin.beginCreate(ACME, S1, UUID.randomUUID(), LEASE);
        assertInUse("creations of tenants have not ended there, tenants().repair() ends them (creations=1");
        admin.commitCreate(creation);
        admin.endCreate(creation);
        assertInUse("tenants live there, drain it first (tenants=1, one=acme)");
        admin.setStatus(S1, ShardStatus.DRAINING);
        MoveTicket move = fixture.move(ACME, S2, MovePhase.FLIPPED);
        assertInUse("moves from or to it have not ended, wait for them");
        fixture.journal.advance(move, MovePhase.FLIPPED, MovePhase.ACTIVATED, "{}", LEASE);
        fixture.journal.advance(move, MovePhase.ACTIVATED, MovePhase.RETAINED, "{}", LEASE);
        assertInUse("old rows of moved tenants are kept there, cleanDue() deletes them");
        fixture.journal.advance(move, MovePhase.RETAINED, MovePhase.CLEANING, "{}", LEASE);
        fixture.journal.advance(move, MovePhase.CLEANING, MovePhase.DONE, "{}", LEASE);

        admin.removeShard(S1);
        admin.removeShard(S1);

        assertThat(fixture.directory.shard(S1)).isEmpty();
        assertThat(fixture.directory.shards()).extracting(Shard::id).containsExactly(S2, S3);
        assertThat(admin.loads()).extracting(ShardLoad::shard).containsExactly(S2, S3);
        assertThat(fixture.journal.find(move.move()).orElseThrow().source()).isEqualTo(S1);
    }

    @Test
    void aMoveThatIsOnItsWayThereKeepsIt() {
        fixture.tenant(ACME, S2);
        MoveTicket arriving = fixture.move(ACME, S1, MovePhase.COPYING);
        admin.setStatus(S1, ShardStatus.DRAINING);
        assertInUse("moves from or to it have not ended");
        fixture.journal.abort(arriving, "test");
        assertInUse("moves from or to it have not ended");
        fixture.journal.advance(arriving, MovePhase.ABORTING, MovePhase.ABORTED, "{}", LEASE);
        admin.removeShard(S1);
    }

    @Test
    void neitherNameNorNumberComesBackButTheAddressMay() {
        Shard gone = fixture.directory.shard(S1).orElseThrow();
        assertInUse("the shard is active, set it to draining first");
        admin.setStatus(S1, ShardStatus.OFFLINE);
        admin.removeShard(S1);

        assertThatThrownBy(() -> admin.addShard(Shard.of("s1", gone.jdbcUrl())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shard s1 - a shard of that name was removed, choose another name");
        Shard next = admin.addShard(Shard.of("s4", gone.jdbcUrl()));
        assertThat(next.number()).isNotEqualTo(gone.number()).isEqualTo(4);
        assertThatThrownBy(() -> admin.setStatus(S1, ShardStatus.ACTIVE)).hasMessage("shard s1 - unknown shard");
        assertThatThrownBy(() -> admin.bootstrapped(S1)).hasMessage("shard s1 - unknown shard");
        assertThatThrownBy(() -> admin.removeShard(ShardId.of("never")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shard never - unknown shard");
        assertThatThrownBy(() -> admin.beginCreate(ACME, S1, UUID.randomUUID(), LEASE))
                .isInstanceOf(PlacementException.class);
        fixture.tenant(ACME, S2);
        assertThat(fixture.journal.plan(UUID.randomUUID(), ACME, S1, "m", LEASE).why())
                .isEqualTo("shard s1 is offline");
    }

    /** Whoever has read "active" before the status changed has placed its tenant before the change is committed. */
    @Test
    void aChangeOfStatusWaitsForCreationsThatHaveSeenTheOldOne() throws Exception {
        try (Connection creating = fixture.database.connect()) {
            creating.setAutoCommit(false);
            Jdbc.run(creating, "SELECT homeshard.begin_create('late', 's1', gen_random_uuid(), 60000)");
            CompletableFuture<Void> draining =
                    CompletableFuture.runAsync(() -> admin.setStatus(S1, ShardStatus.DRAINING));
            awaitBlocked();
            assertThat(draining).isNotDone();
            creating.commit();
            draining.get(10, TimeUnit.SECONDS);
        }
        assertThat(admin.listOn(S1, Optional.empty(), 10))
                .extracting(Placement::tenant)
                .containsExactly(TenantId.of("late"));
    }

    @Test
    void loadsCountTenantsThatAreOnTheirWay() throws SQLException {
        fixture.tenant(ACME, S1);
        fixture.tenant(TenantId.of("other"), S2);
        fixture.move(ACME, S2, MovePhase.RESERVED);
        fixture.run("UPDATE homeshard.shard SET max_tenants = 2 WHERE shard_id = 's2'");
        assertThat(admin.loads())
                .containsExactly(new ShardLoad(S1, 1, null), new ShardLoad(S2, 2, 2L), new ShardLoad(S3, 0, null));
        assertThat(admin.loads().get(1).hasRoom()).isFalse();
    }

    private void awaitBlocked() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (fixture.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
            assertThat(System.nanoTime()).as("nobody waits").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void assertInUse(String why) {
        assertThatThrownBy(() -> admin.removeShard(S1))
                .isInstanceOf(ShardInUseException.class)
                .hasMessageStartingWith("shard s1 - was not removed: " + why);
    }
}
