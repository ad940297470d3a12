/** The router as Spring beans: {@link io.homeshard.spring.ShardRoutingDataSource}. */
@NullMarked
package io.homeshard.spring;

import org.jspecify.annotations.NullMarked;
