/** Breaks the rules on purpose. */
@NullMarked
package io.homeshard.architecture.illegal.cache;

import org.jspecify.annotations.NullMarked;
