package io.homeshard.migrate.move;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Leases that this process holds, so that what is decided here is heard of here at once. Thread-safe. */
final class RunningMoves {
    private final Map<UUID, Lease> leases = new ConcurrentHashMap<>();

    /** Holds a lease until it is closed. */
    Lease hold(Lease lease) {
        leases.put(lease.move(), lease);
        lease.atClose(() -> leases.remove(lease.move(), lease));
        return lease;
    }

    /** Told that the directory has said ABORTING. Other processes hear of it when they renew their lease. */
    void cancelled(UUID move, String reason) {
        Lease lease = leases.get(move);
        if (lease != null) {
            lease.cancelled(reason);
        }
    }
}
