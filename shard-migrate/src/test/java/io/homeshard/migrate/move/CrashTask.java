package io.homeshard.migrate.move;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.UUID;

/** What the mover of a cell is about. */
enum CrashTask {
    /** Moves the tenant to the other shard. */
    MOVE {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            MoveEngine engine = new MoveEngine(parts, hook);
            engine.execute(engine.plan(tenant, TARGET), MoveListener.NONE);
        }
    },
    /** The same, and it is cancelled when the rows are there. */
    MOVE_CANCELLED {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            UUID[] move = new UUID[1];
            MoveEngine engine = new MoveEngine(parts, point -> {
                if (point.equals(CrashPoint.before(Step.ENTER_VERIFIED))) {
                    new MoveEngine(parts, hook).cancel(move[0], "test");
                }
                hook.reached(point);
            });
            MovePlan plan = engine.plan(tenant, TARGET);
            move[0] = plan.move();
            engine.execute(plan, MoveListener.NONE);
        }
    },
    /** Takes the tenant's unfinished move up again. */
    RESUME {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            new MoveEngine(parts, hook).resume(latest(parts, tenant), MoveListener.NONE);
        }
    },
    /** Brings every unfinished move to an end. */
    RECOVER {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            new MoveEngine(parts, hook).recover();
        }
    },
    /** Carries out a person's order to send the tenant back after the flip. */
    RETURN {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            new MoveEngine(parts, hook).returnToSource(latest(parts, tenant), "test", false);
        }
    },
    /** Carries out a person's order to do without a source that is dead. */
    ACTIVATE_WITHOUT_SOURCE {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            new MoveEngine(parts, hook).activateWithoutSource(latest(parts, tenant), "test");
        }
    },
    /** Deletes the tenant's old rows. */
    CLEAN {
        @Override
        void run(MoveParts parts, StepHook hook, TenantId tenant) {
            new MoveEngine(parts, hook).clean(latest(parts, tenant), true);
        }
    };

    static final ShardId TARGET = ShardId.of("s2");

    abstract void run(MoveParts parts, StepHook hook, TenantId tenant);

    private static UUID latest(MoveParts parts, TenantId tenant) {
        return parts.journal().ofTenant(tenant).get(0).id();
    }
}
