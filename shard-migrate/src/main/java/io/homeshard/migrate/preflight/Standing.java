package io.homeshard.migrate.preflight;

import io.homeshard.directory.Admission;
import io.homeshard.directory.Directory;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * What the directory says against a move: it is asked before any shard is.
 *
 * @param findings errors; empty when the move may be looked at
 * @param targetBytes how large the target's database may become; {@link Long#MAX_VALUE} for any size
 */
public record Standing(List<Finding> findings, long targetBytes) {
    /** Copies the list. */
    public Standing {
        findings = List.copyOf(findings);
    }

    /**
     * Asks the directory.
     *
     * @param directory where to ask
     * @param placement of the tenant
     * @param target where it shall go
     * @return what stands against it
     */
    public static Standing of(Directory directory, Placement placement, Shard target) {
        List<Finding> findings = new ArrayList<>();
        if (placement.state() != PlacementState.ACTIVE) {
            findings.add(Finding.error(
                    "tenant-not-active",
                    placement.shard(),
                    "the tenant is " + placement.state(),
                    "recover() the move that is under way, or wait"));
        }
        if (target.status() != ShardStatus.ACTIVE) {
            findings.add(Finding.error(
                    "target-not-in-service",
                    target.id(),
                    "status must be ACTIVE, was " + target.status(),
                    "roll the schema out or set the status"));
        }
        Admission admission = directory.admission(placement.tenant(), target.id());
        admission(admission, target, findings);
        Long most = admission.maxBytes();
        return new Standing(findings, most == null ? Long.MAX_VALUE : most);
    }

    private static void admission(Admission admission, Shard target, List<Finding> findings) {
        Long most = admission.maxTenants();
        if (most != null && admission.otherTenants() >= most) {
            findings.add(Finding.error(
                    "target-full",
                    target.id(),
                    "takes no more tenants (tenants=" + admission.otherTenants() + ", max_tenants=" + most + ")",
                    "choose another shard, or raise max_tenants in the directory"));
        }
        if (target.dedicated() && admission.otherTenants() > 0) {
            findings.add(Finding.error(
                    "target-dedicated",
                    target.id(),
                    "is dedicated and holds another tenant already (tenants=" + admission.otherTenants() + ")",
                    "choose another shard"));
        }
        String region = admission.region();
        if (region != null && !region.equals(target.region())) {
            findings.add(Finding.error(
                    "region",
                    target.id(),
                    "tenant must live in region " + region + ", the shard is in "
                            + (target.region() == null ? "none" : target.region()),
                    "choose a shard of that region, or change what the directory requires of the tenant"));
        }
    }
}
