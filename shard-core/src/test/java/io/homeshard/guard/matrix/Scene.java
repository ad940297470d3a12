package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A cell being played: two owned tenants with their rows, the actors, and the judge's notes. */
final class Scene implements AutoCloseable {
    private static final Duration TOO_LONG = Duration.ofSeconds(20);
    private static final String WAITS = "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = ? AND NOT granted)";

    private final Stage stage;
    private final Cell cell;
    private final Subject a;
    private final Subject b;
    private final List<String> wrong = new ArrayList<>();
    private String remembered = "";
    private @Nullable Future<String> sent;

    private Scene(Stage stage, Cell cell) {
        this.stage = stage;
        this.cell = cell;
        this.a = Subject.fresh(cell.kind().type());
        this.b = Subject.fresh(cell.kind().type());
    }

    static Scene open(Stage stage, Cell cell) throws SQLException {
        Scene scene = new Scene(stage, cell);
        stage.mover().own(scene.a);
        stage.mover().own(scene.b);
        if (!cell.kind().session().isEmpty()) {
            stage.writer().run(scene.fill(cell.kind().session()));
        }
        if (!cell.kind().seed().isEmpty()) {
            scene.must(cell.kind().seed());
        }
        return scene;
    }

    Stage stage() {
        return stage;
    }

    Cell cell() {
        return cell;
    }

    Subject tenant() {
        return a;
    }

    /** SQL text with the tenants of this scene. */
    String fill(String sql) {
        return sql.replace("{a}", a.name()).replace("{b}", b.name());
    }

    // the writer

    void begin() throws SQLException {
        stage.writer().run("BEGIN ISOLATION LEVEL " + cell.level().sql());
    }

    /** Makes the transaction take its snapshot, where the level has one. */
    void takeSnapshot() throws SQLException {
        stage.writer().run("SELECT count(*) FROM shop.note_text WHERE false");
    }

    String write() throws SQLException {
        WriteKind kind = cell.kind();
        return kind.form() == WriteKind.Form.COPY
                ? entered(() -> stage.writer().attemptCopy(kind.statement(), fill(kind.copyData())))
                : attempt(kind.statement());
    }

    /** Other SQL of the writer: its outcome. */
    String attempt(String sql) throws SQLException {
        Writing writing = () -> stage.writer().attempt(fill(sql));
        return Entering.isWrite(sql) ? entered(writing) : writing.run();
    }

    private String entered(Writing writing) throws SQLException {
        return stage.entering() ? new Entering(stage.writer(), a, b).run(writing) : writing.run();
    }

    private void must(String sql) throws SQLException {
        String outcome = attempt(sql);
        if (!outcome.equals(Session.OK)) {
            throw new IllegalStateException("seed refused: " + outcome);
        }
    }

    /** Starts SQL of the writer in the background. */
    void send(Writing writing) {
        sent = stage.thread().submit(writing::run);
    }

    /** A write in the background. */
    @FunctionalInterface
    interface Writing {
        String run() throws SQLException;
    }

    /** True as soon as the writer waits for a lock, false when it ended without. */
    boolean sentWaits() throws SQLException, InterruptedException {
        Deadline deadline = Deadline.in(TOO_LONG);
        while (!ended(2)) {
            if (stage.observer().value(WAITS, stage.writer().pid()).equals("true")) {
                return true;
            }
            deadline.check("writer neither waits nor ends");
        }
        return false;
    }

    /** Outcome of what was sent. */
    String sentOutcome() throws InterruptedException, ExecutionException, TimeoutException {
        return sent == null ? "nothing sent" : sent.get(TOO_LONG.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean ended(long millis) throws InterruptedException {
        try {
            if (sent != null) {
                sent.get(millis, TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    // the mover

    /** Freezes where nothing is in the way. */
    String freeze() throws SQLException {
        return stage.mover().freeze(a, Mover.PATIENT);
    }

    /** Freezes where a writer should be in the way. */
    String freezeBriefly() throws SQLException {
        return stage.mover().freeze(a, Mover.BRIEF);
    }

    /** The tenant leaves. */
    void moveAway() throws SQLException {
        expect("freeze", freeze(), Mover.DONE);
        stage.mover().markMoved(a);
    }

    // the judge

    /** Notes a deviation unless the outcome is one of those allowed. */
    void expect(String what, String actual, String... allowed) {
        if (!List.of(allowed).contains(actual)) {
            wrong.add(what + "=" + actual + " instead of " + String.join(" or ", allowed));
        }
    }

    void expect(String what, boolean holds) {
        if (!holds) {
            wrong.add("not " + what);
        }
    }

    /** Remembers the tenant's rows as committed now. */
    void rememberRows() throws SQLException {
        remembered = rows();
    }

    void expectSameRows() throws SQLException {
        expect("the rows as before", rows().equals(remembered));
    }

    void expectOtherRows() throws SQLException {
        expect("rows changed", !rows().equals(remembered));
    }

    private String rows() throws SQLException {
        StringBuilder digest = new StringBuilder();
        for (String table : cell.kind().tables()) {
            String sql = "SELECT count(*) || ':' || coalesce(sum(hashtextextended(x::text, 0)), 0) FROM " + table
                    + " x WHERE tenant_id::text = ?";
            digest.append(stage.observer().value(sql, a.name())).append('|');
        }
        return digest.toString();
    }

    List<String> wrong() {
        return wrong;
    }

    /** Ends whatever is open; the mover first, since the writer may wait for it. */
    @Override
    public void close() throws Exception {
        stage.mover().session().reset();
        stage.observer().reset();
        if (sent != null) {
            sentOutcome();
        }
        stage.writer().reset();
    }
}
