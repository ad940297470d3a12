/** The example's domain: an academy sells seats in its courses to companies. Knows nothing of shards. */
@NullMarked
package io.homeshard.examples.academy;

import org.jspecify.annotations.NullMarked;
