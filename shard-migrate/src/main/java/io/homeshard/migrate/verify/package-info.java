/** Compares what two shards hold of a tenant, reading both afresh, by a formula of its own for whose a row is. */
@NullMarked
package io.homeshard.migrate.verify;

import org.jspecify.annotations.NullMarked;
