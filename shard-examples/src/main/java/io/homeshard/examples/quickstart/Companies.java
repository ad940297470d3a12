package io.homeshard.examples.quickstart;

import io.homeshard.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Tenants whose sizes follow Zipf's law: the k-th is 1/k of the first, both in rows and in load. Immutable. */
final class Companies {
    /** Orders of the largest tenant. */
    private static final int LARGEST = 20_000;
    /** Least orders of all tenants together; with one line an order this makes 200 000 rows and more. */
    private static final int AT_LEAST = 110_000;

    private final List<Company> all;
    private final double[] cumulated;

    private Companies(List<Company> all) {
        this.all = List.copyOf(all);
        this.cumulated = new double[all.size()];
        double sum = 0;
        for (int i = 0; i < cumulated.length; i++) {
            sum += all.get(i).share();
            cumulated[i] = sum;
        }
    }

    static Companies zipf(int count, long seed) {
        double harmonic = 0;
        for (int k = 1; k <= count; k++) {
            harmonic += 1.0 / k;
        }
        double largest = Math.max(LARGEST, AT_LEAST / harmonic);
        SplittableRandom random = new SplittableRandom(seed);
        List<Company> companies = new ArrayList<>();
        for (int k = 1; k <= count; k++) {
            String name = String.format(Locale.ROOT, "company-%05d-%06x", k, random.nextInt(1 << 24));
            companies.add(
                    new Company(TenantId.of(name), (int) Math.max(1, Math.ceil(largest / k)), 1.0 / k / harmonic));
        }
        return new Companies(companies);
    }

    List<Company> all() {
        return all;
    }

    Company largest() {
        return all.get(0);
    }

    /** Picks a company by its share of the load. */
    Company pick(SplittableRandom random) {
        double point = random.nextDouble() * cumulated[cumulated.length - 1];
        int low = 0;
        int high = cumulated.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulated[middle] < point) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return all.get(low);
    }
}
