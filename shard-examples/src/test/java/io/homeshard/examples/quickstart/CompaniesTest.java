package io.homeshard.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.placement.HashRing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CompaniesTest {
    @Test
    void followZipfsLawAndHaveTheRowsOfTheMainJob() {
        Companies companies = Companies.zipf(200, 42);
        List<Company> all = companies.all();
        assertThat(all).hasSize(200);
        assertThat(companies.largest().orders()).isGreaterThanOrEqualTo(20_000);
        assertThat(all.get(9).orders()).isBetween(2_000, 2_001);
        // an order, its line, and a learner for each hundred
        assertThat(all.stream()
                        .mapToLong(c -> 2L * c.orders() + c.orders() / 100)
                        .sum())
                .isGreaterThanOrEqualTo(200_000);
    }

    @Test
    void areTheSameAndLiveOnTheSameShardsInEveryRun() {
        List<Shard> shards = List.of(shard("s1"), shard("s2"), shard("s3"));
        assertThat(placements(42, shards)).isEqualTo(placements(42, shards));
        assertThat(placements(42, shards)).isNotEqualTo(placements(43, shards));
    }

    @Test
    void arePickedByTheirShareOfTheLoad() {
        Companies companies = Companies.zipf(200, 42);
        SplittableRandom random = new SplittableRandom(1);
        Map<Company, Integer> picked = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            picked.merge(companies.pick(random), 1, Integer::sum);
        }
        double expected = companies.largest().share() * 100_000;
        assertThat(picked.get(companies.largest())).isBetween((int) (expected * 0.95), (int) (expected * 1.05));
        assertThat(picked).hasSizeGreaterThan(190);
    }

    private static Map<Company, ShardId> placements(long seed, List<Shard> shards) {
        Map<Company, ShardId> placements = new HashMap<>();
        for (Company company : Companies.zipf(50, seed).all()) {
            placements.put(company, HashRing.create().place(company.id(), shards));
        }
        return placements;
    }

    private static Shard shard(String name) {
        return Shard.of(name, "jdbc:postgresql://localhost/" + name);
    }
}
