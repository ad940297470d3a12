/** The one way facts leave the library ({@link io.homeshard.observe.ShardListener}) and the one place that reads a clock. */
@NullMarked
package io.homeshard.observe;

import org.jspecify.annotations.NullMarked;
