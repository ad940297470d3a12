/** Shapes that the guard's triggers might have had, as scripts that take the place of the installed ones. */
@NullMarked
package io.homeshard.guard.shape;

import org.jspecify.annotations.NullMarked;
