package io.homeshard.directory;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Calls the step functions of the directory. All rules are in the SQL, where a row lock makes them hold. */
final class JdbcMoveJournal implements MoveJournal {
    private static final String PLAN = "SELECT homeshard.plan_move(?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String ADVANCE = "SELECT homeshard.advance_move(?, ?, ?, ?, ?, ?, ?)";
    private static final String RENEW = "SELECT homeshard.renew_move(?, ?, ?, ?)";
    private static final String FLIP = "SELECT homeshard.flip_move(?, ?, ?)";
    private static final String REDO_FLIP = "SELECT homeshard.redo_flip(?, ?, ?, ?)";
    private static final String ABORT = "SELECT homeshard.abort_move(?, ?, ?, ?)";
    private static final String CANCEL = "SELECT homeshard.cancel_move(?, ?)";
    private static final String WAIVE_SOURCE = "SELECT homeshard.waive_source(?, ?, ?, ?)";
    private static final String RETURN_MOVE = "SELECT homeshard.return_move(?, ?, ?, ?, ?)";
    private static final String REPORT = "SELECT homeshard.report_move(?, ?)";

    private static final String COLUMNS = """
            SELECT m.id, m.tenant_id, m.source, m.target, m.generation, m.phase, m.epoch, m.attempt, m.lease_owner,
                   m.lease_until <= clock_timestamp() AS lease_expired, m.superseded_by IS NOT NULL AS superseded,
                   m.started_at, m.phase_since, m.reason
            """;
    private static final String TAKE_OVER = COLUMNS + "FROM homeshard.take_over_move(?, ?, ?, ?) m";
    private static final String FIND = COLUMNS + "FROM homeshard.move m WHERE m.id = ?";
    private static final String UNFINISHED = COLUMNS + """
            FROM homeshard.move m WHERE m.phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED')
            ORDER BY m.started_at, m.id""";
    private static final String RETAINED = COLUMNS + """
            FROM homeshard.move m WHERE m.phase IN ('RETAINED', 'CLEANING') AND m.superseded_by IS NULL
            ORDER BY m.started_at, m.id""";
    private static final String OF_TENANT = COLUMNS + """
            FROM homeshard.move m WHERE m.tenant_id = ? ORDER BY m.started_at DESC, m.epoch DESC""";
    private static final String STEPS = """
            SELECT s.phase, s.epoch, s.attempt, s.at, s.detail::text AS detail
              FROM homeshard.move_step s WHERE s.move_id = ? ORDER BY s.step""";
    private static final String CERTIFY = "SELECT homeshard.certify_move(?, ?, ?)";
    private static final String CERTIFICATES = """
            SELECT c.move_id, c.number, c.hash, c.previous, c.body
              FROM homeshard.move_certificate c WHERE c.tenant_id = ? ORDER BY c.number""";
    private static final String NOW = "SELECT clock_timestamp()";
    private static final String LIMITS = """
            SELECT (extract(epoch FROM m.not_after - clock_timestamp()) * 1000)::bigint AS window_left_ms, m.freeze_budget_ms,
                   (SELECT (extract(epoch FROM clock_timestamp() - min(s.at)) * 1000)::bigint FROM homeshard.move_step s
                     WHERE s.move_id = m.id AND s.phase = 'FROZEN') AS frozen_for_ms
              FROM homeshard.move m WHERE m.id = ?""";
    private static final String SAY_PROGRESS = "SELECT homeshard.progress_move(?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String PROGRESS = """
            SELECT p.move_id, p.attempt, p.rows, p.bytes, p.expected_rows, p.expected_bytes, p.complete, p.elapsed_ms, p.at
              FROM homeshard.move_progress p WHERE p.move_id = ?""";
    private static final String EVIDENCE = "SELECT m.report::text FROM homeshard.move m WHERE m.id = ?";

    private final DirectoryCalls calls;

    JdbcMoveJournal(DataSource dataSource) {
        this.calls = new DirectoryCalls(dataSource);
    }

    @Override
    public StepResult plan(MoveIntent intent, String owner, Duration lease) {
        MoveTerms terms = intent.terms();
        return step(
                PLAN,
                intent.move(),
                intent.tenant().value(),
                intent.target().value(),
                owner,
                millis(lease),
                utc(terms.notBefore()),
                utc(terms.notAfter()),
                terms.freezeBudget() == null ? null : terms.freezeBudget().toMillis());
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant at) {
        return at == null ? null : at.atOffset(ZoneOffset.UTC);
    }

    @Override
    public Optional<FreezeLimits> limits(UUID move) {
        return calls.call(directory -> Jdbc.find(directory, LIMITS, Rows::limits, move));
    }

    @Override
    public StepResult progress(MoveTicket ticket, MoveProgress progress) {
        return step(
                SAY_PROGRESS,
                ticket.move(),
                ticket.epoch(),
                ticket.attempt(),
                progress.rows(),
                progress.bytes(),
                progress.expectedRows(),
                progress.expectedBytes(),
                progress.complete(),
                progress.elapsed().toMillis());
    }

    @Override
    public Optional<MoveProgress> progress(UUID move) {
        return calls.call(directory -> Jdbc.find(directory, PROGRESS, Rows::progress, move));
    }

    @Override
    public StepResult advance(MoveTicket ticket, MovePhase from, MovePhase to, String detail, Duration lease) {
        return step(
                ADVANCE,
                ticket.move(),
                ticket.epoch(),
                ticket.attempt(),
                from.name(),
                to.name(),
                detail,
                millis(lease));
    }

    @Override
    public StepResult renew(MoveTicket ticket, Duration lease) {
        return step(RENEW, ticket.move(), ticket.epoch(), ticket.attempt(), millis(lease));
    }

    @Override
    public StepResult flip(MoveTicket ticket) {
        return step(FLIP, ticket.move(), ticket.epoch(), ticket.attempt());
    }

    @Override
    public StepResult redoFlip(MoveTicket ticket, String detail) {
        return step(REDO_FLIP, ticket.move(), ticket.epoch(), ticket.attempt(), detail);
    }

    @Override
    public StepResult abort(MoveTicket ticket, String reason) {
        return step(ABORT, ticket.move(), ticket.epoch(), ticket.attempt(), reason);
    }

    @Override
    public StepResult cancel(UUID move, String reason) {
        return step(CANCEL, move, reason);
    }

    @Override
    public Optional<MoveRecord> takeOver(UUID move, String owner, Duration lease, boolean force) {
        return calls.call(directory -> Jdbc.find(directory, TAKE_OVER, Rows::move, move, owner, millis(lease), force));
    }

    @Override
    public StepResult waiveSource(MoveTicket ticket, String reason) {
        return step(WAIVE_SOURCE, ticket.move(), ticket.epoch(), ticket.attempt(), reason);
    }

    @Override
    public StepResult returnMove(MoveTicket ticket, String reason, boolean regardless) {
        return step(RETURN_MOVE, ticket.move(), ticket.epoch(), ticket.attempt(), reason, regardless);
    }

    @Override
    public void report(UUID move, String report) {
        StepResult result = step(REPORT, move, report);
        if (!result.ok()) {
            throw new IllegalArgumentException("move " + move + " - " + result.why());
        }
    }

    @Override
    public Optional<String> evidence(UUID move) {
        return calls.call(directory -> Jdbc.find(directory, EVIDENCE, row -> row.getString(1), move));
    }

    @Override
    public StepResult certify(UUID move, @Nullable String previous, String body) {
        return step(CERTIFY, move, previous, body);
    }

    @Override
    public List<KeptCertificate> certificates(TenantId tenant) {
        return calls.call(directory -> Jdbc.list(
                directory,
                CERTIFICATES,
                row -> new KeptCertificate(
                        row.getObject(1, UUID.class),
                        row.getLong(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5)),
                tenant.value()));
    }

    @Override
    public Instant now() {
        return calls.call(directory -> Jdbc.one(
                directory, NOW, row -> row.getObject(1, OffsetDateTime.class).toInstant()));
    }

    @Override
    public Optional<MoveRecord> find(UUID move) {
        return calls.call(directory -> Jdbc.find(directory, FIND, Rows::move, move));
    }

    @Override
    public List<MoveRecord> unfinished() {
        return calls.call(directory -> Jdbc.list(directory, UNFINISHED, Rows::move));
    }

    @Override
    public List<MoveRecord> retained() {
        return calls.call(directory -> Jdbc.list(directory, RETAINED, Rows::move));
    }

    @Override
    public List<MoveRecord> ofTenant(TenantId tenant) {
        return calls.call(directory -> Jdbc.list(directory, OF_TENANT, Rows::move, tenant.value()));
    }

    @Override
    public List<MoveStep> steps(UUID move) {
        return calls.call(directory -> Jdbc.list(directory, STEPS, Rows::step, move));
    }

    private StepResult step(String sql, @Nullable Object... parameters) {
        return calls.call(directory -> Jdbc.step(directory, sql, parameters));
    }

    static long millis(Duration lease) {
        if (lease.isNegative()) {
            throw new IllegalArgumentException("lease must be >= 0, was " + lease);
        }
        return lease.toMillis();
    }
}
