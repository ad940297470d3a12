package io.homeshard.migrate.preflight;

import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The source must own the tenant as the directory says. */
final class SourceOwnership implements Check {
    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        Optional<Ownership> row = scene.parts().guard().ownership(scene.source().connection(), scene.tenant());
        long generation = scene.placement().generation();
        boolean owned = row.isPresent()
                && row.get().state() == OwnershipState.OWNED
                && row.get().generation() == generation;
        return owned
                ? List.of()
                : List.of(Finding.error(
                        "not-owned",
                        scene.source().shard(),
                        "does not own the tenant at generation " + generation + " ("
                                + row.map(r -> "state=" + r.state() + ", generation=" + r.generation())
                                        .orElse("no record")
                                + ")",
                        "recover() the move that is under way, or reconcile"));
    }
}
