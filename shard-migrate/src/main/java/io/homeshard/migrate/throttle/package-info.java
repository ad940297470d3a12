/** Keeps a copy from taking the whole machine away from the tenants that stay. */
@NullMarked
package io.homeshard.migrate.throttle;

import org.jspecify.annotations.NullMarked;
