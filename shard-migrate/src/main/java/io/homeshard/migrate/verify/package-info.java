/** Compares what two shards hold of a tenant, reading both afresh; shares nothing with the copy but the catalog. */
@NullMarked
package io.homeshard.migrate.verify;

import org.jspecify.annotations.NullMarked;
