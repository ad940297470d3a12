package io.homeshard.migrate.move;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The frame of tests that move tenants of a shop: two shards for the class, and a tenant on the first for each test. */
abstract class MovingShop {
    static MoveLab lab;
    static ShardId s1;
    static ShardId s2;
    final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());
    private final int orders;

    /** Each test's tenant has that many orders. */
    MovingShop(int orders) {
        this.orders = orders;
    }

    @BeforeAll
    static void openShop() throws SQLException {
        lab = MoveLab.shop();
        s1 = lab.shard(1);
        s2 = lab.shard(2);
    }

    @AfterAll
    static void closeShop() {
        lab.close();
    }

    @BeforeEach
    void createTenant() throws SQLException {
        lab.tenant(tenant, s1);
        Shop.fill(lab, s1, tenant, orders);
    }
}
