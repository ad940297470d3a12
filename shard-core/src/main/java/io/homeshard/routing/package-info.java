/** From a tenant to a pinned route to a connection: the only orchestrator of requests. Does not see the cache. */
@NullMarked
package io.homeshard.routing;

import org.jspecify.annotations.NullMarked;
