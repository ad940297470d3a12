package io.homeshard.migrate;

import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.drain.Drain;
import io.homeshard.migrate.drain.DrainConfig;
import io.homeshard.migrate.drain.DrainListener;
import io.homeshard.migrate.drain.DrainPlan;
import io.homeshard.migrate.drain.DrainReport;
import io.homeshard.migrate.gather.Gather;
import io.homeshard.migrate.gather.GatherReport;
import io.homeshard.migrate.gather.Handling;
import io.homeshard.migrate.move.Certificate;
import io.homeshard.migrate.move.MoveEngine;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.migrate.move.Recheck;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Hands everything to the engine, which knows nothing of this package. */
record JournaledTenantMover(MoveEngine engine, Drain drain, Gather gather) implements TenantMover {
    @Override
    public MovePlan plan(TenantId tenant, ShardId target) {
        return engine.plan(tenant, target);
    }

    @Override
    public MoveReport execute(MovePlan plan, MoveListener listener) {
        return engine.execute(plan, listener);
    }

    @Override
    public MoveReport resume(UUID move) {
        return engine.resume(move, MoveListener.NONE);
    }

    @Override
    public void cancel(UUID move, String reason) {
        engine.cancel(move, reason);
    }

    @Override
    public List<MoveReport> recover() {
        return engine.recover();
    }

    @Override
    public GatherReport gather(TenantId tenant, Handling handling) {
        return gather.run(tenant, handling);
    }

    @Override
    public MoveReport activateWithoutSource(UUID move, String reason) {
        return engine.activateWithoutSource(move, reason);
    }

    @Override
    public MoveReport returnToSource(UUID move, String reason) {
        return engine.returnToSource(move, reason, false);
    }

    @Override
    public MoveReport returnToSourceAcceptingLoss(UUID move, String reason) {
        return engine.returnToSource(move, reason, true);
    }

    @Override
    public MoveReport clean(UUID move) {
        return engine.clean(move, false);
    }

    @Override
    public MoveReport cleanNow(UUID move) {
        return engine.clean(move, true);
    }

    @Override
    public List<MoveRecord> unfinished() {
        return engine.unfinished();
    }

    @Override
    public List<MoveRecord> retained() {
        return engine.retained();
    }

    @Override
    public List<MoveReport> cleanDue() {
        return engine.cleanDue();
    }

    @Override
    public Certificate certificate(UUID move) {
        return engine.certificate(move);
    }

    @Override
    public Recheck recheck(Certificate certificate) {
        return engine.recheck(certificate);
    }

    @Override
    public DrainPlan planDrain(ShardId shard, DrainConfig config) {
        return drain.plan(shard, config);
    }

    @Override
    public DrainReport drain(DrainPlan plan, DrainListener listener) {
        return drain.run(plan, listener);
    }

    @Override
    public Optional<MoveProgress> progress(UUID move) {
        return engine.progress(move);
    }
}
