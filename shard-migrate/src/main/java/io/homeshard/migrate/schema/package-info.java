/** Brings directory and shards to the schema that library and application ask for; the one place that knows Flyway. */
@NullMarked
package io.homeshard.migrate.schema;

import org.jspecify.annotations.NullMarked;
