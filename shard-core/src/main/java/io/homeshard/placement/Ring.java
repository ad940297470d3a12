package io.homeshard.placement;

import io.homeshard.model.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The points of a set of shards in order of position, then name: shards that share a position all keep theirs. */
final class Ring {
    /** Points of a shard of weight 100. */
    static final int POINTS_PER_100 = 150;

    static final Ring EMPTY = new Ring(Map.of(), List.of());

    private static final Comparator<Point> ORDER = ((Comparator<Point>)
                    (left, right) -> Long.compareUnsigned(left.position, right.position))
            .thenComparing(Point::shard);

    private final Map<ShardId, Integer> weights;
    private final List<Point> points;

    private Ring(Map<ShardId, Integer> weights, List<Point> points) {
        this.weights = weights;
        this.points = points;
    }

    record Point(long position, ShardId shard) {}

    static Ring of(Map<ShardId, Integer> weights, PositionHash hash) {
        List<Point> points = new ArrayList<>();
        weights.forEach((shard, weight) -> {
            for (int index = 0; index < pointCount(weight); index++) {
                points.add(new Point(hash.position(shard + "#" + index), shard));
            }
        });
        points.sort(ORDER);
        return new Ring(Map.copyOf(weights), List.copyOf(points));
    }

    /** At least one point for every weight above 0; a higher weight keeps the points of the lower one. */
    static int pointCount(int weight) {
        return Math.max(1, weight * POINTS_PER_100 / 100);
    }

    Map<ShardId, Integer> weights() {
        return weights;
    }

    List<Point> points() {
        return points;
    }

    /** The shard of the first point at or after a position, going round at the end. */
    ShardId owner(long position) {
        int low = 0;
        int high = points.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(points.get(middle).position, position) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return points.get(low == points.size() ? 0 : low).shard;
    }
}
