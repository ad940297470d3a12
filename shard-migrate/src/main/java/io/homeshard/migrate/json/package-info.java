/** The JSON that the directory keeps of moves and gatherings: written in one canonical form, and read back exactly. */
@NullMarked
package io.homeshard.migrate.json;

import org.jspecify.annotations.NullMarked;
