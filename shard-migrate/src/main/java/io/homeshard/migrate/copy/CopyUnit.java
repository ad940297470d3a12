package io.homeshard.migrate.copy;

import java.util.List;

/**
 * What one transaction on the target brings in.
 *
 * @param parts one after another
 * @param deferred whether foreign keys are checked at its end, since the tables refer to each other in a circle
 */
record CopyUnit(List<CopyPart> parts, boolean deferred) {
    CopyUnit {
        parts = List.copyOf(parts);
    }
}
