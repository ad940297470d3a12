package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.KeptCertificate;
import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A certificate says what was compared, cannot be altered unseen, and is held against the old rows. */
class CertificateTest extends MovingShop {
    CertificateTest() {
        super(4);
    }

    @Test
    void saysWhatMovedAndHowItWasCompared() {
        MoveReport report = lab.move(tenant, s2);

        Certificate certificate = lab.engine().certificate(report.move());

        assertThat(certificate.report().tenant()).isEqualTo(tenant);
        assertThat(certificate.report().tables())
                .isEqualTo(report.tables())
                .hasSize(4)
                .allSatisfy(table ->
                        assertThat(table.source().sameRows(table.target())).isTrue());
        assertThat(certificate.report().phases()).extracting(PhaseTiming::phase).contains(MovePhase.RETAINED);
        assertThat(certificate.report().freezeMillis()).isPositive();
        assertThat(certificate.version()).matches("\\d+\\.\\d+.*");
        assertThat(certificate.sourceFingerprint())
                .isEqualTo(certificate.targetFingerprint())
                .hasSize(64);
        assertThat(certificate.previous()).isNull();
        assertThat(Certificate.parse(certificate.toJson())).isEqualTo(certificate);
        assertThat(certificate.toJson()).doesNotContain("line 1", "n:acme");
        Recheck recheck = lab.engine().recheck(certificate);
        assertThat(recheck.problems()).isEmpty();
        assertThat(recheck.ok()).isTrue();
    }

    /** Whatever goes wrong with the papers of a move that is over: it is no failed move. */
    @ParameterizedTest
    @EnumSource(names = {"KEEP_REPORT", "KEEP_CERTIFICATE"})
    void failureAfterTheMoveIsNoFailureOfTheMove(Step step) {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, here -> {
            if (here.equals(CrashPoint.before(step))) {
                throw new IllegalStateException("planted");
            }
        });

        MoveReport report = engine.execute(engine.plan(tenant, s2), MoveListener.NONE);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
        assertThat(lab.journal.find(report.move()).orElseThrow().phase()).isEqualTo(MovePhase.RETAINED);
        assertThat(lab.engine().certificate(report.move()).report().tables()).hasSize(4);
    }

    /** As in an application that was packed anew without the resource, or with half of it. */
    @Test
    void versionIsUnknownWhereItsResourceIsMissingOrBroken() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("planted");
            }
        };
        assertThat(LibraryVersion.of(null)).isEqualTo("unknown");
        assertThat(LibraryVersion.of(failing)).isEqualTo("unknown");
        assertThat(LibraryVersion.of(resource("version=\\u00zz"))).isEqualTo("unknown");
        assertThat(LibraryVersion.of(resource("name=x"))).isEqualTo("unknown");
        assertThat(LibraryVersion.of(resource("version="))).isEqualTo("unknown");
        assertThat(LibraryVersion.of(resource("version=1.2.3"))).isEqualTo("1.2.3");
        assertThat(LibraryVersion.read()).matches("\\d+\\.\\d+.*");
    }

    private static InputStream resource(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void oneChangedByteIsRefusedWhereverItIs() {
        String json = lab.engine().certificate(lab.move(tenant, s2).move()).toJson();
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        int refused = 0;
        for (int at = 0; at < bytes.length; at++) {
            byte[] altered = bytes.clone();
            altered[at] = (byte) (altered[at] == '1' ? '2' : '1');
            String text = new String(altered, StandardCharsets.UTF_8);
            try {
                Certificate.parse(text);
            } catch (RuntimeException e) {
                refused++;
            }
        }
        System.out.println("[CertificateTest] bytes of a certificate changed one at a time: " + bytes.length
                + ", refused: " + refused);
        assertThat(refused).isEqualTo(bytes.length).isGreaterThan(2_000);
        assertThatThrownBy(() -> Certificate.parse(json + " ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneChangedRowFailsTheRecheckWhichNamesItsTableAndBucket() {
        Certificate certificate = lab.engine().certificate(lab.move(tenant, s2).move());
        behindTheGuard(
                s1,
                "UPDATE app.m_orders SET note = 'secret' WHERE tenant_id = '" + tenant
                        + "' AND id = (SELECT min(id) FROM app.m_orders WHERE tenant_id = '" + tenant + "')");

        Recheck recheck = lab.engine().recheck(certificate);

        assertThat(recheck.ok()).isFalse();
        assertThat(recheck.differences()).singleElement().satisfies(difference -> {
            assertThat(difference.table()).hasToString("app.m_orders");
            assertThat(difference.buckets()).hasSize(1);
        });
        assertThat(recheck.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem)
                        .contains("app.m_orders: contents of rows differ (certified=4, now=4), in buckets [")
                        .doesNotContain("secret", tenant.value()));
        assertThatThrownBy(() -> lab.engine().clean(certificate.report().move(), true))
                .hasMessageContaining("not those that were copied");
    }

    /** The source gave the tenant up, and then the directory fell back to before the comparison. */
    @Test
    void oldRowsOfAFlipThatWasDoneAgainAreCompared() {
        MoveEngine lost = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.MARK_MOVED));
        MovePlan plan = lost.plan(tenant, s2);
        AtomicReference<DirectoryPast> past = new AtomicReference<>();
        MoveListener remember = PhaseListener.at(MovePhase.COPYING, move -> past.set(DirectoryPast.of(lab)));
        assertThatThrownBy(() -> lost.execute(plan, remember)).isInstanceOf(SimulatedCrash.class);
        Objects.requireNonNull(past.get()).putBack();
        lab.expire(plan.move());
        lab.engine().recover();

        Certificate certificate = lab.engine().certificate(plan.move());
        assertThat(certificate.report().tables()).hasSize(4);
        assertThat(lab.engine().recheck(certificate).problems()).isEmpty();
        assertThat(lab.engine().clean(plan.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
    }

    /** Missing rows that a move back has swept are no tampering. */
    @Test
    void recheckSaysWhenAMoveBackHasDeletedOldRows() {
        Certificate certificate = lab.engine().certificate(lab.move(tenant, s2).move());
        MoveEngine engine = lab.engine();
        MoveListener cancel = PhaseListener.at(MovePhase.VERIFIED, move -> engine.cancel(move.id(), "test"));
        assertThatThrownBy(() -> engine.execute(engine.plan(tenant, s1), cancel))
                .isInstanceOf(MoveException.class);

        assertThatThrownBy(() -> engine.recheck(certificate))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("a later move back was undone");
    }

    /** Whoever can compute a hash cannot forge a certificate as long as the directory has the genuine one. */
    @Test
    void forgedCertificateIsNotTheOneThatTheDirectoryKeeps() {
        Certificate genuine = lab.engine().certificate(lab.move(tenant, s2).move());
        Certificate forged = new Certificate(
                genuine.report(), "9.9", genuine.sourceFingerprint(), genuine.targetFingerprint(), List.of(), null);

        Recheck recheck = lab.engine().recheck(Certificate.parse(forged.toJson()));

        assertThat(recheck.problems())
                .singleElement()
                .asString()
                .contains("not the certificate that the directory keeps");
    }

    @Test
    void certificateOfAnotherTenantIsRefused() throws SQLException {
        TenantId other = TenantId.of("other " + UUID.randomUUID());
        lab.tenant(other, s1);
        Shop.fill(lab, s1, other, 4);
        MoveReport mine = lab.move(tenant, s2);
        lab.move(other, s2);
        Certificate genuine = lab.engine().certificate(mine.move());
        MoveReport r = genuine.report();
        MoveReport relabelled = new MoveReport(
                r.move(),
                other,
                r.source(),
                r.target(),
                r.generation(),
                r.outcome(),
                r.phases(),
                r.tables(),
                r.freezeMillis(),
                r.reason());

        Recheck recheck = lab.engine()
                .recheck(new Certificate(
                        relabelled,
                        genuine.version(),
                        genuine.sourceFingerprint(),
                        genuine.targetFingerprint(),
                        genuine.checks(),
                        null));

        assertThat(recheck.problems()).singleElement().asString().contains("is not in the directory");
    }

    @Test
    void eachCertificateProvesTheOneBefore() throws SQLException {
        MoveReport there = lab.move(tenant, s2);
        MoveReport back = lab.move(tenant, s1);
        Certificate first = lab.engine().certificate(there.move());
        Certificate second = lab.engine().certificate(back.move());
        assertThat(second.previous()).isEqualTo(first.hash());
        assertThat(lab.engine().recheck(second).problems()).isEmpty();

        // consistent in itself, with a hash to match: as one does who can write to the directory
        Certificate other = new Certificate(
                first.report(), "0.0", first.sourceFingerprint(), first.targetFingerprint(), first.checks(), null);
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(
                    directory,
                    "UPDATE homeshard.move_certificate SET body = ?, hash = ? WHERE move_id = ?",
                    other.body(),
                    other.hash(),
                    there.move());
        }

        assertThat(lab.engine().recheck(second).problems())
                .singleElement()
                .asString()
                .contains("does not follow the one before it")
                .contains(back.move().toString());
    }

    /** The process died between the end of the move and its certificate; the moves after it are not certified first. */
    @Test
    void missingCertificateIsMadeWhenItIsAskedForAndInItsPlace() {
        MoveEngine dying = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(CrashPoint.before(Step.KEEP_CERTIFICATE)));
        MovePlan plan = dying.plan(tenant, s2);
        assertThatThrownBy(() -> dying.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        assertThat(lab.journal.certificates(tenant)).isEmpty();

        MoveReport back = lab.move(tenant, s1);

        assertThat(lab.journal.certificates(tenant))
                .extracting(KeptCertificate::move)
                .containsExactly(plan.move(), back.move());
        assertThat(lab.engine().certificate(plan.move()).report().tables()).hasSize(4);
    }

    /** Schemas go on while old rows wait. */
    @Test
    void columnsThatCameOrWentSinceKeepNobodyFromCleaning() {
        MoveReport report = lab.move(tenant, s2);
        Certificate certificate = lab.engine().certificate(report.move());
        try {
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "ALTER TABLE app.m_orders ADD COLUMN extra text DEFAULT 'x'");
            }
            assertThat(lab.engine().recheck(certificate).problems()).isEmpty();
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "ALTER TABLE app.m_orders DROP COLUMN ratio");
            }
            assertThat(lab.engine().recheck(certificate).problems())
                    .singleElement()
                    .asString()
                    .contains("could only be counted: [app.m_orders]");
            assertThat(lab.engine().clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        } finally {
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "ALTER TABLE app.m_orders DROP COLUMN IF EXISTS extra");
                lab.run(shard, "ALTER TABLE app.m_orders ADD COLUMN IF NOT EXISTS ratio float8");
            }
        }
        assertThatThrownBy(() -> lab.engine().recheck(certificate))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("no old rows");
    }

    /** What only a superuser in a hurry does. */
    private static void behindTheGuard(ShardId shard, String sql) {
        try (Connection script = lab.connect(shard)) {
            MoveLab.execute(script, "ALTER TABLE app.m_orders DISABLE TRIGGER ALL");
            MoveLab.execute(script, sql);
            lab.guard.install(script, Shop.TABLES, Duration.ofSeconds(5));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
