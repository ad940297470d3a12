package io.homeshard.migrate.move;

import io.homeshard.directory.KeptCertificate;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes certificates, keeps them in the directory, and reads the chain of a tenant. */
record Certificates(MoveParts parts, Steps steps) {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);

    /** Two processes may append at once. */
    private static final int ATTEMPTS = 5;

    /**
     * The certificate of a finished move. Made now where the process that moved the tenant did not come to it, earlier
     * moves of the tenant first.
     */
    Certificate of(MoveRecord move) {
        List<MoveRecord> moves = new ArrayList<>(parts.journal().ofTenant(move.tenant()));
        Collections.reverse(moves);
        for (MoveRecord each : moves) {
            if (each.id().equals(move.id())) {
                break;
            }
            if (each.phase().finished() && each.phase() != MovePhase.ABORTED) {
                keepIfPossible(each);
            }
        }
        keep(move);
        return find(move.tenant(), move.id());
    }

    /** The tenant has moved, certificate or not: who needs it makes it when it is missing. */
    void ofIfPossible(UUID move) {
        quietly(move, () -> parts.journal().find(move).ifPresent(this::of));
    }

    /** One whose journal cannot be read keeps no later one from having a certificate. */
    private void keepIfPossible(MoveRecord move) {
        quietly(move.id(), () -> keep(move));
    }

    private static void quietly(UUID move, Runnable keeping) {
        try {
            keeping.run();
        } catch (RuntimeException e) { // whatever it is, the tenant has moved
            log.warn("move {} - its certificate could not be kept yet", move, e);
        }
    }

    private void keep(MoveRecord move) {
        for (int attempt = 1; ; attempt++) {
            List<KeptCertificate> chain = parts.journal().certificates(move.tenant());
            if (chain.stream().anyMatch(link -> link.move().equals(move.id()))) {
                return;
            }
            String previous =
                    chain.isEmpty() ? null : chain.get(chain.size() - 1).hash();
            String body = make(move, previous).body();
            StepResult result =
                    steps.run(Step.KEEP_CERTIFICATE, () -> parts.journal().certify(move.id(), previous, body));
            if (result.ok()) {
                return;
            }
            if (attempt == ATTEMPTS) {
                throw new MoveStopped("certificate of move " + move.id() + " - could not be kept: " + result.why());
            }
        }
    }

    private Certificate make(MoveRecord move, @Nullable String previous) {
        Evidence evidence = Reports.evidence(parts.journal().steps(move.id()));
        return new Certificate(
                new Reports(parts).exactly(move),
                LibraryVersion.read(),
                evidence.fingerprint(),
                evidence.fingerprint(),
                evidence.checks(),
                previous);
    }

    private Certificate find(TenantId tenant, UUID move) {
        for (KeptCertificate link : parts.journal().certificates(tenant)) {
            if (link.move().equals(move)) {
                return intact(link, tenant);
            }
        }
        throw new MoveStopped("certificate of move " + move + " - is not in the directory");
    }

    /** Every certificate of the tenant up to that of a move, each proven by the hash in the next. */
    List<Certificate> chain(TenantId tenant, UUID upTo) {
        List<Certificate> chain = new ArrayList<>();
        String previous = null;
        for (KeptCertificate link : parts.journal().certificates(tenant)) {
            Certificate certificate = intact(link, tenant);
            if (link.number() != chain.size() + 1L || !Objects.equals(certificate.previous(), previous)) {
                throw new MoveStopped("certificate of move " + link.move()
                        + " - does not follow the one before it in the directory (number=" + link.number() + ")");
            }
            chain.add(certificate);
            previous = certificate.hash();
            if (link.move().equals(upTo)) {
                return chain;
            }
        }
        throw new MoveStopped("certificate of move " + upTo + " - is not in the directory");
    }

    private static Certificate intact(KeptCertificate link, TenantId tenant) {
        Certificate certificate;
        try {
            certificate = Certificate.ofBody(link.body());
        } catch (RuntimeException e) {
            throw altered(link, e);
        }
        boolean same = certificate.hash().equals(link.hash())
                && Objects.equals(certificate.previous(), link.previous())
                && certificate.report().move().equals(link.move())
                && certificate.report().tenant().equals(tenant);
        if (!same) {
            throw altered(link, null);
        }
        return certificate;
    }

    private static MoveStopped altered(KeptCertificate link, @Nullable RuntimeException cause) {
        MoveStopped stopped = new MoveStopped("certificate of move " + link.move() + " - was altered in the directory");
        if (cause != null) {
            stopped.initCause(cause);
        }
        return stopped;
    }
}
