/** Words of Homeshard as immutable values, and the exceptions a caller meets. Points at nothing of ours. */
@NullMarked
package io.homeshard.model;

import org.jspecify.annotations.NullMarked;
