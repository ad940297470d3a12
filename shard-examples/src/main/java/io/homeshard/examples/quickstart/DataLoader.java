package io.homeshard.examples.quickstart;

import io.homeshard.Homeshard;
import io.homeshard.examples.academy.Courses;
import io.homeshard.examples.academy.Enrollment;
import io.homeshard.test.Database;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Gives each company its past: orders with a line each by COPY, counters, and learners with their e-mail claims. */
final class DataLoader {
    private static final int THREADS = 4;
    private static final int ORDERS_PER_LEARNER = 100;
    private static final String COPY_ORDERS =
            "COPY academy.orders (tenant_id, order_id, origin, currency, total) FROM STDIN";
    private static final String COPY_LINES =
            "COPY academy.order_lines (tenant_id, order_id, line_no, course, seats, price) FROM STDIN";
    private static final String INSERT_COUNTER =
            "INSERT INTO academy.seat_counters (tenant_id, course, seats) VALUES (?, ?, 0)";

    private final Homeshard homeshard;
    private final Enrollment enrollment;

    DataLoader(Homeshard homeshard, Enrollment enrollment) {
        this.homeshard = homeshard;
        this.enrollment = enrollment;
    }

    /** Creates all companies by the placement policy, in their order, and loads their rows in parallel. */
    void load(Companies companies, long seed) throws InterruptedException, ExecutionException {
        companies.all().forEach(company -> homeshard.tenants().create(company.id()));
        SplittableRandom seeds = new SplittableRandom(seed);
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> loads = new ArrayList<>();
            for (Company company : companies.all()) {
                SplittableRandom random = seeds.split();
                loads.add(executor.submit(() -> {
                    homeshard.run(company.id(), () -> load(company, random));
                    return null;
                }));
            }
            for (Future<?> load : loads) {
                load.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /** Gives PostgreSQL its statistics, as after any bulk load: the plan of the move estimates by them. */
    static void analyze(Database database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE");
        }
    }

    private void load(Company company, SplittableRandom random) throws SQLException, IOException {
        String tenant = company.id().value();
        List<UUID> orders = new ArrayList<>(company.orders());
        for (int i = 0; i < company.orders(); i++) {
            orders.add(new UUID(random.nextLong(), random.nextLong()));
        }
        try (Connection connection = homeshard.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            copy(connection, COPY_ORDERS, orders, (order, n) -> tenant + '\t' + order + "\timport\tEUR\t" + price(n));
            copy(
                    connection,
                    COPY_LINES,
                    orders,
                    (order, n) -> tenant + '\t' + order + "\t1\t" + Courses.NAMES.get(course(n)) + "\t1\t" + price(n));
            try (PreparedStatement counter = connection.prepareStatement(INSERT_COUNTER)) {
                for (String course : Courses.NAMES) {
                    counter.setString(1, tenant);
                    counter.setString(2, course);
                    counter.addBatch();
                }
                counter.executeBatch();
            }
            connection.commit();
        }
        for (int i = 0; i <= company.orders() / ORDERS_PER_LEARNER; i++) {
            enrollment.enroll(company.id(), "learner" + i + "@" + tenant + ".example", "Learner " + i);
        }
    }

    private interface Line {
        String of(UUID order, int number);
    }

    private static void copy(Connection connection, String sql, List<UUID> orders, Line line)
            throws SQLException, IOException {
        CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        try {
            for (int i = 0; i < orders.size(); i++) {
                byte[] row = (line.of(orders.get(i), i) + '\n').getBytes(StandardCharsets.UTF_8);
                in.writeToCopy(row, 0, row.length);
            }
            in.endCopy();
        } finally {
            if (in.isActive()) {
                in.cancelCopy();
            }
        }
    }

    private static int course(int number) {
        return number % Courses.NAMES.size();
    }

    private static BigDecimal price(int number) {
        return Courses.price(course(number));
    }
}
