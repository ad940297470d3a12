/** The main job in one command: tenants on guarded shards, the largest moved under load, every order accounted for. */
@NullMarked
package io.homeshard.examples.quickstart;

import org.jspecify.annotations.NullMarked;
