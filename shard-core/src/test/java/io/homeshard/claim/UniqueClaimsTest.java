package io.homeshard.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import io.homeshard.test.PostgresServers;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UniqueClaimsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final TenantId A = TenantId.of("a");
    private static final TenantId B = TenantId.of("b");
    private static final String NS = "email";
    private static final String VALUE = "ada@example.org";

    private final Database database = PostgresServers.shared().get(0).createDatabase("claims");
    private final UniqueClaims claims = UniqueClaims.jdbc(database.dataSource());

    @BeforeEach
    void schema() {
        ShardSchemas.migrateDirectory(database.dataSource());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void oneValueHasOneHolderOverAllTenants() {
        assertThat(claims.claim(NS, VALUE, A, "1", MINUTE).granted()).isTrue();
        ClaimResult lost = claims.claim(NS, VALUE, B, "1", MINUTE);
        assertThat(lost.granted()).isFalse();
        assertThat(lost.holder().tenant()).isEqualTo(A);
        assertThat(claims.claim(NS, VALUE, A, "2", MINUTE).granted())
                .as("another owner of the same tenant")
                .isFalse();
        assertThat(claims.claim("phone", VALUE, B, "1", MINUTE).granted()).isTrue();
        assertThat(claims.claim(NS, "Ada@example.org", B, "1", MINUTE).granted())
                .isTrue();
        assertThat(lost.toString()).doesNotContain("ada@");
    }

    @Test
    void aClaimIsConfirmedOnceAndEachStepRepeatedTellsTheTruth() {
        claims.claim(NS, VALUE, A, "1", MINUTE);
        assertThat(claims.claim(NS, VALUE, A, "1", MINUTE).granted()).isTrue();
        assertThat(claims.find(NS, VALUE).orElseThrow().confirmed()).isFalse();
        assertThat(claims.confirm(NS, VALUE, A, "1")).hasToString("done");
        assertThat(claims.confirm(NS, VALUE, A, "1")).hasToString("already done");
        assertThat(claims.confirm(NS, VALUE, B, "1")).hasToString("refused: another owner has the claim");
        assertThat(claims.find(NS, VALUE).orElseThrow().confirmed()).isTrue();
        claims.claim(NS, VALUE, A, "1", MINUTE);
        assertThat(claims.find(NS, VALUE).orElseThrow().confirmed())
                .as("stays confirmed")
                .isTrue();
        assertThat(claims.release(NS, VALUE, A, "1")).hasToString("done");
        assertThat(claims.release(NS, VALUE, A, "1")).hasToString("already done");
        assertThat(claims.confirm(NS, VALUE, A, "1")).hasToString("refused: no such claim");
        assertThat(claims.claimConfirmed(NS, VALUE, B, "9").holder().confirmed())
                .isTrue();
    }

    @Test
    void aLosersReleaseNeverRemovesTheWinnersClaim() {
        claims.claim(NS, VALUE, A, "1", MINUTE);
        assertThat(claims.release(NS, VALUE, B, "1")).hasToString("refused: another owner has the claim");
        assertThat(claims.release(NS, VALUE, A, "2").ok()).isFalse();
        assertThat(claims.find(NS, VALUE)).isPresent();
    }

    @Test
    void expiredClaimsAreConfirmedOrDroppedAfterALookAtTheOwner() throws SQLException {
        for (String value : List.of("there", "gone", "unknown")) {
            claims.claim(NS, value, A, value, MINUTE);
        }
        claims.claim(NS, "fresh", A, "fresh", MINUTE);
        claims.claimConfirmed(NS, "sure", A, "sure");
        assertThat(claims.expired(NS)).isEmpty();
        expire("there", "gone", "unknown");
        assertThat(claims.claim(NS, "gone", B, "x", MINUTE).granted())
                .as("an expired claim still stands")
                .isFalse();
        ClaimSweep sweep = claims.sweepExpired(NS, claim -> {
            if (claim.ownerRef().equals("unknown")) {
                throw new SQLException("shard is down");
            }
            return claim.ownerRef().equals("there");
        });
        assertThat(sweep).isEqualTo(new ClaimSweep(1, 1, 1));
        assertThat(claims.find(NS, "there").orElseThrow().confirmed()).isTrue();
        assertThat(claims.find(NS, "gone")).isEmpty();
        assertThat(claims.expired(NS)).extracting(Claim::value).containsExactly("unknown");
        assertThat(claims.claim(NS, "gone", B, "x", MINUTE).granted()).isTrue();
    }

    @Test
    void aClaimThatIsConfirmedOrRenewedDuringTheLookIsNotDropped() throws SQLException {
        claims.claim(NS, "confirmed", A, "1", MINUTE);
        claims.claim(NS, "renewed", A, "2", MINUTE);
        expire("confirmed", "renewed");
        ClaimSweep sweep = claims.sweepExpired(NS, claim -> {
            if (claim.value().equals("confirmed")) {
                claims.confirm(NS, "confirmed", A, "1");
            } else {
                claims.claim(NS, "renewed", A, "2", MINUTE);
            }
            return false;
        });
        assertThat(sweep).isEqualTo(new ClaimSweep(0, 0, 2));
        assertThat(claims.find(NS, "confirmed").orElseThrow().confirmed()).isTrue();
        assertThat(claims.find(NS, "renewed")).isPresent();
    }

    @Test
    void ofManyThatClaimAtOnceOneWins() throws Exception {
        int threads = 8;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 10; round++) {
                String value = "v" + round;
                CyclicBarrier start = new CyclicBarrier(threads);
                List<Future<ClaimResult>> answers = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    TenantId tenant = TenantId.of("t" + t);
                    answers.add(executor.submit(() -> {
                        start.await();
                        return claims.claim(NS, value, tenant, "1", MINUTE);
                    }));
                }
                int granted = 0;
                for (Future<ClaimResult> answer : answers) {
                    granted += answer.get().granted() ? 1 : 0;
                    assertThat(answer.get().holder())
                            .isEqualTo(claims.find(NS, value).orElseThrow());
                }
                assertThat(granted).isEqualTo(1);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void wrongValuesAreRefused() {
        assertThatThrownBy(() -> claims.claim(NS, VALUE, A, "1", Duration.ZERO))
                .hasMessage("ttl must be >= 1 ms, was PT0S");
        assertThatThrownBy(() -> claims.claim(NS, "", A, "1", MINUTE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> claims.claim(NS, "x".repeat(513), A, "1", MINUTE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void expire(String... values) throws SQLException {
        try (Connection connection = database.connect()) {
            for (String value : values) {
                Jdbc.run(
                        connection,
                        "UPDATE homeshard.claim SET expires_at = clock_timestamp() - interval '1 ms' WHERE value = ?",
                        value);
            }
        }
    }
}
