package io.homeshard.claim;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the functions of the directory, one a call; the primary key of the table decides who wins. */
final class JdbcUniqueClaims implements UniqueClaims {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcUniqueClaims.class);

    private static final String COLUMNS = "SELECT c.namespace, c.value, c.tenant_id, c.owner_ref, c.expires_at ";
    private static final String CLAIM = COLUMNS + "FROM homeshard.make_claim(?, ?, ?, ?, ?) c";
    private static final String FIND = COLUMNS + "FROM homeshard.claim c WHERE c.namespace = ? AND c.value = ?";
    private static final String EXPIRED = COLUMNS + """
            FROM homeshard.claim c
             WHERE c.namespace = ? AND c.state = 'pending' AND c.expires_at <= clock_timestamp()
             ORDER BY c.expires_at LIMIT 1000""";
    private static final String CONFIRM = "SELECT homeshard.confirm_claim(?, ?, ?, ?)";
    private static final String RELEASE = "SELECT homeshard.release_claim(?, ?, ?, ?)";
    private static final String DROP = "SELECT homeshard.drop_expired_claim(?, ?, ?, ?)";

    /** A holder that lets go just when it is looked at makes one more try worth while; more than this is a bug. */
    private static final int TRIES = 10;

    private final DirectoryCalls calls;

    JdbcUniqueClaims(DataSource directory) {
        this.calls = new DirectoryCalls(directory);
    }

    @Override
    public ClaimResult claim(String namespace, String value, TenantId tenant, String ownerRef, Duration ttl) {
        if (ttl.toMillis() < 1) {
            throw new IllegalArgumentException("ttl must be >= 1 ms, was " + ttl);
        }
        return make(namespace, value, tenant, ownerRef, ttl.toMillis());
    }

    @Override
    public ClaimResult claimConfirmed(String namespace, String value, TenantId tenant, String ownerRef) {
        return make(namespace, value, tenant, ownerRef, null);
    }

    private ClaimResult make(
            String namespace, String value, TenantId tenant, String ownerRef, @Nullable Long ttlMillis) {
        // here and not by the table's checks, whose message would hold the row
        requireLength("namespace", namespace, 64);
        requireLength("value", value, 512);
        requireLength("ownerRef", ownerRef, 256);
        for (int i = 0; i < TRIES; i++) {
            Optional<Claim> holder = calls.call(directory -> Jdbc.find(
                    directory, CLAIM, JdbcUniqueClaims::read, namespace, value, tenant.value(), ownerRef, ttlMillis));
            if (holder.isPresent()) {
                Claim claim = holder.get();
                boolean own = claim.tenant().equals(tenant) && claim.ownerRef().equals(ownerRef);
                return new ClaimResult(own, claim);
            }
        }
        throw new IllegalStateException("claim - neither made nor held by another (tries=" + TRIES + ")");
    }

    private static void requireLength(String what, String text, int max) {
        int length = text.codePointCount(0, text.length());
        if (length < 1 || length > max) {
            throw new IllegalArgumentException(what + " must have 1 to " + max + " characters, had " + length);
        }
    }

    @Override
    public StepResult confirm(String namespace, String value, TenantId tenant, String ownerRef) {
        return step(CONFIRM, namespace, value, tenant, ownerRef);
    }

    @Override
    public StepResult release(String namespace, String value, TenantId tenant, String ownerRef) {
        return step(RELEASE, namespace, value, tenant, ownerRef);
    }

    @Override
    public Optional<Claim> find(String namespace, String value) {
        return calls.call(directory -> Jdbc.find(directory, FIND, JdbcUniqueClaims::read, namespace, value));
    }

    @Override
    public List<Claim> expired(String namespace) {
        return calls.call(directory -> Jdbc.list(directory, EXPIRED, JdbcUniqueClaims::read, namespace));
    }

    @Override
    public ClaimSweep sweepExpired(String namespace, ClaimCheck check) {
        int confirmed = 0;
        int dropped = 0;
        int left = 0;
        for (Claim claim : expired(namespace)) {
            Optional<Boolean> exists = ask(check, claim);
            if (exists.isEmpty()) {
                left++;
                continue;
            }
            String sql = exists.get() ? CONFIRM : DROP;
            boolean ok = step(sql, namespace, claim.value(), claim.tenant(), claim.ownerRef())
                    .ok();
            confirmed += ok && exists.get() ? 1 : 0;
            dropped += ok && !exists.get() ? 1 : 0;
            left += ok ? 0 : 1;
        }
        return new ClaimSweep(confirmed, dropped, left);
    }

    private static Optional<Boolean> ask(ClaimCheck check, Claim claim) {
        try {
            return Optional.of(check.ownerExists(claim));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (Exception e) {
            LOG.warn("claims - an owner could not be looked for, its claim stays ({})", claim, e);
            return Optional.empty();
        }
    }

    private StepResult step(String sql, String namespace, String value, TenantId tenant, String ownerRef) {
        return calls.call(directory -> Jdbc.step(directory, sql, namespace, value, tenant.value(), ownerRef));
    }

    private static Claim read(ResultSet row) throws SQLException {
        OffsetDateTime expiresAt = row.getObject("expires_at", OffsetDateTime.class);
        return new Claim(
                row.getString("namespace"),
                row.getString("value"),
                TenantId.of(row.getString("tenant_id")),
                row.getString("owner_ref"),
                expiresAt == null ? null : expiresAt.toInstant());
    }
}
