package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A cell being played: two owned tenants with their rows, the actors, and the judge's notes. */
final class Scene implements AutoCloseable {
    private final Stage stage;
    private final Cell cell;
    private final Subject b;
    private final Background background;
    private final List<String> wrong = new ArrayList<>();
    private Subject a;
    private String remembered = "";

    private Scene(Stage stage, Cell cell) {
        this.stage = stage;
        this.cell = cell;
        this.background = new Background(stage.thread());
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
        stage.writer().run("RESET ALL");
        if (!cell.kind().session().isEmpty()) {
            stage.writer().run(scene.fill(cell.kind().session()));
        }
        if (cell.warm()) {
            scene.writeEarlier(cell.level().next());
        }
        return scene;
    }

    Stage stage() {
        return stage;
    }

    Cell cell() {
        return cell;
    }

    /** The tenant that is moved, under its present move. */
    Subject tenant() {
        return a;
    }

    /** The tenant that stands by. */
    Subject other() {
        return b;
    }

    /** The tenant comes under another move, which the mover has not begun. */
    void next(Subject move) {
        a = move;
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

    /** A transaction that writes both tenants and commits: the session has dealt with them. */
    void writeEarlier(Level level) throws SQLException {
        Session writer = stage.writer();
        String table = cell.kind().type().table();
        writer.run("BEGIN ISOLATION LEVEL " + level.sql());
        must("INSERT INTO " + table + " (tenant_id) VALUES ('{a}'), ('{b}')");
        writer.run("COMMIT");
        if (stage.shop().installed()) {
            boolean known = Pass.of(writer, a).isFor(a) || Pass.of(writer, b).isFor(b);
            expect("a pass from an earlier transaction", known);
        }
    }

    String write() throws SQLException {
        WriteKind kind = cell.kind();
        if (kind.form() != WriteKind.Form.COPY) {
            return attempt(kind.statement());
        }
        return entered(kind.copyData(), () -> stage.writer().attemptCopy(kind.statement(), fill(kind.copyData())));
    }

    /** Other SQL of the writer: its outcome. */
    String attempt(String sql) throws SQLException {
        Background.Sending sending = () -> stage.writer().attempt(fill(sql));
        if (!Entering.isWrite(sql)) {
            return sending.run();
        }
        return entered(sql.startsWith("EXECUTE") ? cell.kind().statement() : sql, sending);
    }

    /** A write of the tenants that a text names, by a writer that enters where the guard wants it. */
    private String entered(String text, Background.Sending writing) throws SQLException {
        if (!stage.entering()) {
            return writing.run();
        }
        List<Subject> tenants = new ArrayList<>();
        if (text.contains("{b}")) {
            tenants.add(b);
        }
        if (text.contains("{a}")) {
            tenants.add(a);
        }
        return new Entering(stage.writer(), tenants).run(writing);
    }

    /** A write that has to work for the cell to be played. */
    private void must(String sql) throws SQLException {
        String outcome = attempt(sql);
        if (!outcome.equals(Session.OK)) {
            throw new IllegalStateException("refused: " + outcome);
        }
    }

    /** Starts something of the writer in the background. */
    void send(Background.Sending sending) {
        background.send(stage.writer(), sending);
    }

    /** Starts something of a superuser in the background. */
    void sendByHand(String sql) {
        background.send(stage.observer(), () -> stage.observer().attempt(fill(sql)));
    }

    /** True as soon as what was sent waits for a lock, false when it ended without. */
    boolean sentWaits() throws SQLException, InterruptedException {
        boolean byHand = background.sentBy(stage.observer());
        return background.waits(byHand ? stage.mover().session() : stage.observer());
    }

    /** Outcome of what was sent. */
    String sentOutcome() throws Exception {
        return background.outcome();
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

    /** Gives a frozen tenant back; the next freeze is another move's. */
    void thaw() throws SQLException {
        stage.mover().unfreeze(a);
        a = a.again();
    }

    /** The tenant leaves. */
    void moveAway() throws SQLException {
        expect("freeze", freeze(), Mover.DONE);
        stage.mover().markMoved(a);
    }

    /** The tenant that has left is back, two generations later. */
    void moveBack() throws SQLException {
        a = a.returning();
        stage.mover().own(a);
        a = a.again();
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

    /** Ends whatever is open; what was sent may wait for all others. */
    @Override
    public void close() throws Exception {
        stage.mover().session().reset();
        boolean byHand = background.sentBy(stage.observer());
        (byHand ? stage.writer() : stage.observer()).reset();
        background.outcome();
        (byHand ? stage.observer() : stage.writer()).reset();
    }
}
