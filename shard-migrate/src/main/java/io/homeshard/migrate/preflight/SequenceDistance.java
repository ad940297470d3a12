package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.TableSequence;
import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How far the target's sequences will be moved on. */
final class SequenceDistance implements Check {
    @Override
    public List<Finding> find(Scene scene) {
        Map<TableName, TableSequence> there = new HashMap<>();
        scene.target().catalog().sequences().forEach(sequence -> there.put(sequence.name(), sequence));
        List<Finding> findings = new ArrayList<>();
        for (TableSequence sequence : scene.source().catalog().sequences()) {
            TableSequence other = there.get(sequence.name());
            if (other == null || sequence.lastValue().isEmpty()) {
                continue;
            }
            long from = sequence.lastValue().getAsLong();
            boolean behind = other.lastValue().isEmpty()
                    || (sequence.increment() > 0
                            ? other.lastValue().getAsLong() < from
                            : other.lastValue().getAsLong() > from);
            if (behind) {
                String at = other.lastValue().isEmpty()
                        ? "nothing"
                        : String.valueOf(other.lastValue().getAsLong());
                findings.add(Finding.note(
                                "sequence-advances",
                                scene.target().shard(),
                                "sequence has handed out " + at + " and will be moved on beyond " + from,
                                "nothing to do")
                        .in(sequence.name()));
            }
        }
        return findings;
    }
}
