package io.homeshard.examples.academy;

import java.math.BigDecimal;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders: order, three lines and the seat counter in one transaction. Runs in the scope of the tenant. */
@Service
public class Checkout {
    private static final String INSERT_ORDER = """
            INSERT INTO academy.orders (tenant_id, order_id, origin, currency, total)
            VALUES (?, ?, 'checkout', 'EUR', ?)""";
    private static final String INSERT_LINES = """
            INSERT INTO academy.order_lines (tenant_id, order_id, line_no, course, seats, price)
            VALUES (?, ?, 1, ?, 1, ?), (?, ?, 2, ?, 1, ?), (?, ?, 3, ?, 1, ?)""";
    private static final String COUNT_SEATS =
            "UPDATE academy.seat_counters SET seats = seats + 1 WHERE tenant_id = ? AND course = ?";

    private final JdbcClient jdbc;

    /**
     * The service.
     *
     * @param jdbc a client on the application's DataSource
     */
    public Checkout(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Places one order of three seats in neighbouring courses and counts the seat of the first.
     *
     * @param tenant the company
     * @param order id of the order, chosen by the client
     * @param course index of the first course
     */
    @Transactional
    public void place(String tenant, UUID order, int course) {
        int second = (course + 1) % Courses.NAMES.size();
        int third = (course + 2) % Courses.NAMES.size();
        BigDecimal total = Courses.price(course).add(Courses.price(second)).add(Courses.price(third));
        jdbc.sql(INSERT_ORDER).params(tenant, order, total).update();
        jdbc.sql(INSERT_LINES)
                .params(tenant, order, Courses.NAMES.get(course), Courses.price(course))
                .params(tenant, order, Courses.NAMES.get(second), Courses.price(second))
                .params(tenant, order, Courses.NAMES.get(third), Courses.price(third))
                .update();
        int counted =
                jdbc.sql(COUNT_SEATS).params(tenant, Courses.NAMES.get(course)).update();
        if (counted != 1) {
            throw new IllegalStateException("seat counter must be 1 row, was " + counted);
        }
    }
}
