package io.homeshard.guard.bench;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Sorted samples. */
final class Quantiles {
    private final double[] sorted;

    private Quantiles(double[] sorted) {
        this.sorted = sorted;
    }

    static Quantiles of(DoubleStream samples) {
        double[] sorted = samples.toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("samples must not be empty");
        }
        Arrays.sort(sorted);
        return new Quantiles(sorted);
    }

    int count() {
        return sorted.length;
    }

    double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest sample that at least this share of all samples does not exceed. */
    double at(double share) {
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
    }

    double max() {
        return sorted[sorted.length - 1];
    }
}
