package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TableSequence;
import java.util.ArrayList;
import java.util.List;

/** Sequences of which sessions of the target may hold values that come with the tenant. */
final class SequenceCaches implements SideCheck {
    @Override
    public List<Finding> find(Side side) {
        List<Finding> findings = new ArrayList<>();
        for (TableSequence sequence : side.catalog().sequences()) {
            if (sequence.cache() > 1) {
                findings.add(new Finding(
                        Severity.NOTE,
                        "sequence-cache",
                        side.shard(),
                        sequence.name(),
                        null,
                        "is a sequence of which sessions cache " + sequence.cache()
                                + " values; values that are cached on the target may lie among those that come",
                        "make the key contain the tenant column, or reconnect the target's sessions after the copy"));
            }
        }
        return findings;
    }
}
