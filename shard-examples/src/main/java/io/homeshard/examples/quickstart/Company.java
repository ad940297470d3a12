package io.homeshard.examples.quickstart;

import io.homeshard.model.TenantId;

/**
 * A tenant of the example.
 *
 * @param id its name
 * @param orders orders it begins with
 * @param share its share of the load, 0 to 1
 */
record Company(TenantId id, int orders, double share) {}
