/** What the live catalog of a shard says about the tenant tables: columns, order of copying, sequences, fingerprint. */
@NullMarked
package io.homeshard.migrate.catalog;

import org.jspecify.annotations.NullMarked;
