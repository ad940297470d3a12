/** What the guard costs: server CPU, WAL, round trips, throughput, and what mover and writers wait for each other. */
@NullMarked
package io.homeshard.guard.bench;

import org.jspecify.annotations.NullMarked;
