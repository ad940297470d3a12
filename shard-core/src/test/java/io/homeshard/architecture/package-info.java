/** The allowed uses between packages, as a test. */
@NullMarked
package io.homeshard.architecture;

import org.jspecify.annotations.NullMarked;
