/** Breaks the rules on purpose. */
@NullMarked
package io.homeshard.architecture.illegal.pool;

import org.jspecify.annotations.NullMarked;
