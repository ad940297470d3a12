/** Breaks the rules on purpose. */
@NullMarked
package io.homeshard.architecture.illegal.rogue;

import org.jspecify.annotations.NullMarked;
