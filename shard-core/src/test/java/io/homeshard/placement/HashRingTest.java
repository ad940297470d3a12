package io.homeshard.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import io.homeshard.model.PlacementException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HashRingTest {
    private static final HashRing RING = HashRing.create();

    @Test
    void e15ShardsThatShareAPositionAllKeepTheirPoints() {
        PositionHash narrow = label -> Math.floorMod(label.hashCode(), 64);
        HashRing ring = new HashRing(narrow);
        List<Shard> three = shards(100, 100, 100);
        List<Shard> two = List.of(three.get(0), three.get(2));
        Ring full = Ring.of(weights(three), narrow);
        Ring less = Ring.of(weights(two), narrow);

        assertThat(full.points()).hasSize(3 * Ring.POINTS_PER_100);
        assertThat(less.points())
                .isEqualTo(full.points().stream()
                        .filter(point -> !point.shard().equals(ShardId.of("s2")))
                        .toList());
        for (int i = 0; i < 200; i++) {
            TenantId tenant = TenantId.of("t" + i);
            assertThat(ring.place(tenant, three)).isEqualTo(ring.place(tenant, reversed(three)));
            assertThat(ring.place(tenant, two)).isNotEqualTo(ShardId.of("s2"));
        }
    }

    @Test
    void e17EveryHashHasAShard() {
        long[] extremes = {Long.MIN_VALUE, 0, -1, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int count : new int[] {1, 3, 7}) {
            List<Shard> shards = shards(IntStream.range(0, count).map(i -> 100).toArray());
            Map<String, Long> crafted = new HashMap<>();
            HashRing ring = new HashRing(label -> crafted.getOrDefault(label, (long) label.hashCode()));
            for (long extreme : extremes) {
                crafted.put("crafted", extreme);
                assertThat(shards).extracting(Shard::id).contains(ring.place(TenantId.of("crafted"), shards));
            }
            assertThat("polygenelubricants".hashCode()).isEqualTo(Integer.MIN_VALUE);
            assertThat(shards)
                    .extracting(Shard::id)
                    .contains(
                            ring.place(TenantId.of("polygenelubricants"), shards),
                            RING.place(TenantId.of("polygenelubricants"), shards));
        }
    }

    @Test
    void e17PositionsAreComparedUnsigned() {
        Map<String, Long> positions = Map.of("s1#0", 10L, "s2#0", -10L, "low", 11L, "high", -9L, "first", 10L);
        HashRing ring = new HashRing(label -> positions.getOrDefault(label, 0L));
        List<Shard> shards = shards(0, 0).stream().map(shard -> shard.weight(1)).toList();
        assertThat(ring.place(TenantId.of("low"), shards)).isEqualTo(ShardId.of("s2"));
        assertThat(ring.place(TenantId.of("high"), shards)).as("round the end").isEqualTo(ShardId.of("s1"));
        assertThat(ring.place(TenantId.of("first"), shards)).isEqualTo(ShardId.of("s1"));
    }

    @Test
    void e19AddingAShardMovesItsShareToItAndNothingElse() {
        addingAShard(5_000);
    }

    @Test
    @Tag("long")
    void e19AddingAShardMovesItsShareToItAndNothingElseWith100000Tenants() {
        addingAShard(100_000);
    }

    private static void addingAShard(int tenants) {
        List<Shard> five = shards(100, 100, 100, 100, 100);
        List<Shard> four = five.subList(0, 4);
        Map<TenantId, ShardId> before = placements(tenants, four);
        Map<TenantId, ShardId> after = placements(tenants, five);
        long moved = before.keySet().stream()
                .filter(tenant -> !Objects.equals(before.get(tenant), after.get(tenant)))
                .peek(tenant -> assertThat(after.get(tenant)).isEqualTo(ShardId.of("s5")))
                .count();
        assertThat(moved).isCloseTo(tenants / 5, withPercentage(20));
        assertThat(placements(tenants, four)).isEqualTo(before);
    }

    @Test
    void e20SmallWeightsHavePointsAndHigherOnesOnlyAddSome() {
        List<Shard> shards = shards(1024, 1024, 5);
        assertThat(placements(20_000, shards).values()).contains(ShardId.of("s3"));
        assertThat(Ring.pointCount(1)).isEqualTo(1);
        for (int[] change : new int[][] {{5, 6}, {100, 200}}) {
            Map<TenantId, ShardId> before = placements(2_000, shards(100, 100, change[0]));
            Map<TenantId, ShardId> after = placements(2_000, shards(100, 100, change[1]));
            before.forEach((tenant, shard) -> {
                if (!shard.equals(after.get(tenant))) {
                    assertThat(after.get(tenant)).isEqualTo(ShardId.of("s3"));
                }
            });
        }
    }

    @Test
    void e20WeightZeroTakesNoNewTenantsAndHugeOnesAreRefused() {
        assertThat(placements(2_000, shards(100, 0, 100)).values()).doesNotContain(ShardId.of("s2"));
        assertThatThrownBy(() -> shards(1_000_000_000)).hasMessage("weight must be 0 to 10000, was 1000000000");
        assertThatThrownBy(() -> shards(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Ring.of(weights(shards(Shard.MAX_WEIGHT)), PositionHash.sha256())
                        .points())
                .hasSize(15_000);
    }

    @Test
    void refusesWhenNoShardTakesTenants() {
        assertThatThrownBy(() -> RING.place(TenantId.of("t"), List.of())).isInstanceOf(PlacementException.class);
        assertThatThrownBy(() -> RING.place(TenantId.of("t"), shards(0)))
                .isInstanceOf(PlacementException.class)
                .hasMessageContaining("s1 weight 0");
    }

    @Test
    void placesAsEver() throws IOException {
        List<Shard> shards = shards(100, 50, 200, 100);
        List<Shard> shuffled = new ArrayList<>(shards);
        Collections.shuffle(shuffled);
        Locale locale = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(golden(shuffled)).isEqualTo(resource("placements.txt"));
        } finally {
            Locale.setDefault(locale);
        }
    }

    /** A thousand tenants, some with letters outside ASCII. */
    private static String golden(List<Shard> shards) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> i % 10 == 0 ? "İstanbul-ğ-" + i : "tenant-I-" + i)
                .map(name -> name + " " + RING.place(TenantId.of(name), shards) + "\n")
                .collect(Collectors.joining());
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = HashRingTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<TenantId, ShardId> placements(int tenants, List<Shard> shards) {
        return IntStream.range(0, tenants)
                .mapToObj(i -> TenantId.of("tenant-" + i))
                .collect(Collectors.toMap(tenant -> tenant, tenant -> RING.place(tenant, shards)));
    }

    private static List<Shard> shards(int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(
                        i -> Shard.of("s" + (i + 1), "jdbc:postgresql://db/app").weight(weights[i]))
                .toList();
    }

    private static List<Shard> reversed(List<Shard> shards) {
        List<Shard> copy = new ArrayList<>(shards);
        Collections.reverse(copy);
        return copy;
    }

    private static Map<ShardId, Integer> weights(List<Shard> shards) {
        Map<ShardId, Integer> weights = new TreeMap<>();
        shards.forEach(shard -> weights.put(shard.id(), shard.weight()));
        return weights;
    }
}
