/** Classes that break the rules on purpose, so that the rules are seen to work. */
@NullMarked
package io.homeshard.architecture.illegal;

import org.jspecify.annotations.NullMarked;
