package io.homeshard.examples.quickstart;

import io.homeshard.Homeshard;
import io.homeshard.cache.CacheConfig;
import io.homeshard.examples.academy.Checkout;
import io.homeshard.examples.academy.Enrollment;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ApplicationContext;

/** The steps of the main job, in order. */
final class MainJob {
    private static final int LEAST_CHECKOUTS_OF_MOVING = 500;
    private static final int PAGE = 1000;

    private final QuickstartOptions options;
    private final TestCluster cluster;
    private final Homeshard homeshard;
    private final Checkout checkout;
    private final Enrollment enrollment;
    private final Companies companies;
    private final Narration say = new Narration(System.out);
    private final Map<ShardId, Database> databases = new TreeMap<>();

    MainJob(QuickstartOptions options, TestCluster cluster, ApplicationContext application) {
        this.options = options;
        this.cluster = cluster;
        this.homeshard = application.getBean(Homeshard.class);
        this.checkout = application.getBean(Checkout.class);
        this.enrollment = application.getBean(Enrollment.class);
        this.companies = Companies.zipf(options.tenants(), options.seed());
    }

    boolean run() throws Exception {
        SchemaRollout rollout = SchemaRollout.of(
                homeshard, flyway -> flyway.locations("classpath:db/academy").schemas("academy"));
        say.step("directory and %d shards, schema and guard", cluster.shards().size());
        rollout.migrateDirectory();
        for (int i = 0; i < cluster.shards().size(); i++) {
            addShard(rollout, "s" + (i + 1), cluster.shard(i));
        }
        say.step("%d tenants by Zipf's law (seed %d)", companies.all().size(), options.seed());
        new DataLoader(homeshard, enrollment).load(companies, options.seed());
        for (Database database : databases.values()) {
            DataLoader.analyze(database);
        }

        TenantId moving = companies.largest().id();
        ShardId oldShard = placement(moving).shard();
        Map<ShardId, ShardFigures> before = ShardFigures.read(databases, placements());
        say.loaded(before);

        StaleWriters writers = new StaleWriters(moving);
        ClientLog log = new ClientLog(moving);
        try (Homeshard stale = staleRouter(moving)) {
            MoveReport report;
            Timeline timeline;
            try (Load load = new Load(homeshard, checkout, companies, log);
                    Progress progress = Progress.of(say, log)) {
                long begun = System.nanoTime();
                say.step("checkouts from 8 threads");
                load.start(options.seed());
                await(log, begun, options.seconds() * 0.4, LEAST_CHECKOUTS_OF_MOVING);
                say.step("a fourth shard at run time, and the largest tenant moves to it");
                addShard(rollout, "s" + (databases.size() + 1), cluster.addShard());
                long moveBegun = System.nanoTime();
                report = move(moving);
                long moveEnded = System.nanoTime();
                await(log, begun, options.seconds(), log.countOfMoving() + LEAST_CHECKOUTS_OF_MOVING + 50);
                progress.close();
                load.close();
                timeline = new Timeline(begun, moveBegun, moveEnded, System.nanoTime());
            }
            writers.throughStaleRouter(stale);
            writers.throughPlainJdbc(database(oldShard));
            String unknown = writers.unknownTenant(homeshard);
            return judge(new Evidence(oldShard, moving, before, log, timeline, report, writers, unknown));
        }
    }

    private boolean judge(Evidence evidence) throws Exception {
        Map<TenantId, Placement> placements = placements();
        Map<ShardId, ShardFigures> after = ShardFigures.read(databases, placements);
        Accounting.Verdict verdict = Accounting.of(databases, placements)
                .verdict(
                        evidence.log().acknowledged(),
                        evidence.log().inDoubt(),
                        evidence.oldShard(),
                        evidence.moving());
        int claimsApart = enrollment.differences(
                databases.values().stream().map(Database::dataSource).toList());
        return say.verdict(evidence, after, verdict, claimsApart, options);
    }

    private void addShard(SchemaRollout rollout, String name, Database database) throws Exception {
        homeshard.shards().add(Shard.of(name, database.jdbcUrl()));
        rollout.migrate();
        databases.put(ShardId.of(name), database);
    }

    /** A second router, primed with the old placement, that neither listens nor asks again. */
    private Homeshard staleRouter(TenantId moving) throws Exception {
        Homeshard stale = Homeshard.builder()
                .directory(cluster.directory().dataSource())
                .credentials(shard -> new ShardCredentials(
                        cluster.shard(0).user(), cluster.shard(0).password()))
                .tables(homeshard.tables())
                .cache(CacheConfig.defaults().withRevalidateAfter(Duration.ofHours(1)))
                .listen(false)
                .build();
        stale.call(moving, () -> stale.router().route());
        return stale;
    }

    private MoveReport move(TenantId moving) {
        ShardId target = ShardId.of("s" + databases.size());
        TenantMover mover = TenantMover.of(homeshard);
        MovePlan plan = mover.plan(moving, target);
        say.plan(plan);
        return mover.execute(plan, say.moveListener(plan));
    }

    /** Waits until the load has run long enough and the moving tenant has had enough checkouts. */
    private void await(ClientLog log, long begun, double seconds, long ofMoving) throws InterruptedException {
        long deadline = begun + TimeUnit.SECONDS.toNanos(options.seconds() + 60L);
        while (System.nanoTime() - begun < seconds * 1e9 || log.countOfMoving() < ofMoving) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the load is too slow: " + log.countOfMoving()
                        + " checkouts of the largest tenant, wanted " + ofMoving + "; failures: " + log.failures());
            }
            Thread.sleep(100);
        }
    }

    private Database database(ShardId shard) {
        Database database = databases.get(shard);
        if (database == null) {
            throw new IllegalStateException("no database for shard " + shard);
        }
        return database;
    }

    private Placement placement(TenantId tenant) {
        return homeshard
                .tenants()
                .find(tenant)
                .orElseThrow(() -> new IllegalStateException("the largest tenant has no placement"));
    }

    private Map<TenantId, Placement> placements() {
        Map<TenantId, Placement> placements = new HashMap<>();
        Optional<TenantId> after = Optional.empty();
        while (true) {
            List<Placement> page = homeshard.tenants().list(after, PAGE);
            page.forEach(placement -> placements.put(placement.tenant(), placement));
            if (page.size() < PAGE) {
                return placements;
            }
            after = Optional.of(page.get(page.size() - 1).tenant());
        }
    }
}
