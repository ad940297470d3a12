/** The guard judged from outside: every kind of write at every isolation level against every course of a freeze. */
@NullMarked
package io.homeshard.guard.matrix;

import org.jspecify.annotations.NullMarked;
