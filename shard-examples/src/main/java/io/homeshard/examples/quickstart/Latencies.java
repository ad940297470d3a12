package io.homeshard.examples.quickstart;

import io.homeshard.model.TenantId;
import java.util.Collection;
import java.util.Locale;

/** Percentiles of checkouts as the clients felt them, retries included. */
final class Latencies {
    private Latencies() {}

    /** The 99th percentile in milliseconds of checkouts of other tenants acknowledged in a window; "-" without any. */
    static String p99(Collection<Acknowledged> orders, TenantId except, long from, long to) {
        long[] nanos = orders.stream()
                .filter(order -> !order.tenant().equals(except))
                .filter(order -> order.acknowledged() >= from && order.acknowledged() < to)
                .mapToLong(order -> order.acknowledged() - order.begun())
                .sorted()
                .toArray();
        if (nanos.length == 0) {
            return "-";
        }
        long value = nanos[(int) Math.min(nanos.length - 1, Math.floor(nanos.length * 0.99))];
        return String.format(Locale.ROOT, "%.1f ms (of %d)", value / 1e6, nanos.length);
    }
}
