package io.homeshard.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit Jupiter extension that gives each test method a fresh {@link TestCluster}, or each class with
 * {@link #perClass()}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static HomeshardPostgres pg = HomeshardPostgres.withShards(3);
 * }</pre>
 *
 * <p>Used by {@code @ExtendWith(HomeshardPostgres.class)} it gives two shards. A {@code TestCluster} parameter of a
 * test or of a method that runs before each test gets the cluster. Thread-safe once it is registered.
 */
public final class HomeshardPostgres
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
    private static final String CLUSTER = "cluster";

    private final TestCluster.Builder description;
    private final boolean classWide;

    /** The clusters of the tests that run now: more than one only when methods run in parallel. */
    private final List<TestCluster> open = new CopyOnWriteArrayList<>();

    private final Map<Thread, TestCluster> byThread = new ConcurrentHashMap<>();

    /** For {@code @ExtendWith}: two shards, fresh for each method. */
    public HomeshardPostgres() {
        this(TestCluster.builder(), false);
    }

    private HomeshardPostgres(TestCluster.Builder description, boolean classWide) {
        this.description = description;
        this.classWide = classWide;
    }

    /**
     * An extension for a cluster on the shared servers.
     *
     * @param shards how many shards, at least 0
     * @return the extension, for a field with {@code @RegisterExtension}
     */
    public static HomeshardPostgres withShards(int shards) {
        return with(TestCluster.builder().shards(shards));
    }

    /**
     * An extension for a cluster of any kind.
     *
     * @param cluster describes the cluster; not to be changed afterwards
     * @return the extension, for a field with {@code @RegisterExtension}
     */
    public static HomeshardPostgres with(TestCluster.Builder cluster) {
        return new HomeshardPostgres(cluster, false);
    }

    /**
     * The same extension with one cluster for all methods of the class.
     *
     * @return a new extension, for a static field
     */
    public HomeshardPostgres perClass() {
        return new HomeshardPostgres(description, true);
    }

    /**
     * The cluster of the running test. When methods run in parallel, only the thread of the test itself can ask.
     *
     * @return the cluster
     * @throws IllegalStateException when no test runs, or several do and this thread runs none of them
     */
    public TestCluster cluster() {
        TestCluster own = byThread.get(Thread.currentThread());
        if (own != null) {
            return own;
        }
        List<TestCluster> now = new ArrayList<>(open);
        if (now.size() != 1) {
            throw new IllegalStateException(
                    "test cluster - not known to this thread, take it as a parameter of the test (open=" + now.size()
                            + ", thread=" + Thread.currentThread().getName() + ")");
        }
        return now.get(0);
    }

    /**
     * The directory of the running test.
     *
     * @return its database
     */
    public Database directory() {
        return cluster().directory();
    }

    /**
     * A shard of the running test.
     *
     * @param index which one, from 0
     * @return its database
     */
    public Database shard(int index) {
        return cluster().shard(index);
    }

    /**
     * All shards of the running test.
     *
     * @return a snapshot, in the order of their index
     */
    public List<Database> shards() {
        return cluster().shards();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // a nested class shares the cluster of the class around it
        if (classWide && stored(context) == null) {
            open(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        TestCluster shared = stored(context);
        if (classWide && shared == null) {
            throw new IllegalStateException("HomeshardPostgres - perClass() needs a static field");
        }
        byThread.put(Thread.currentThread(), shared != null ? shared : open(context));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        byThread.remove(Thread.currentThread());
        if (!classWide) {
            close(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (classWide) {
            close(context);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestCluster cluster = stored(context);
        if (cluster == null) {
            throw new ParameterResolutionException("HomeshardPostgres - there is no cluster yet, it is made before"
                    + " each method; use perClass() to have it earlier");
        }
        return cluster;
    }

    private TestCluster open(ExtensionContext context) {
        TestCluster cluster = description.build();
        open.add(cluster);
        store(context).put(CLUSTER, cluster);
        return cluster;
    }

    /** Does nothing in a context that did not open a cluster of its own. */
    private void close(ExtensionContext context) {
        TestCluster cluster = store(context).remove(CLUSTER, TestCluster.class);
        if (cluster != null) {
            open.remove(cluster);
            cluster.close();
        }
    }

    private @Nullable TestCluster stored(ExtensionContext context) {
        return store(context).get(CLUSTER, TestCluster.class);
    }

    private Store store(ExtensionContext context) {
        return context.getStore(Namespace.create(HomeshardPostgres.class, this));
    }
}
