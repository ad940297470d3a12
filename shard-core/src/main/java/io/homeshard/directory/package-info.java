/** The tenant directory: the truth about which shard owns which tenant, and the journal of moves. Its SQL lives here. */
@NullMarked
package io.homeshard.directory;

import org.jspecify.annotations.NullMarked;
