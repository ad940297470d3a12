/** The example's domain: an academy sells seats in its courses to companies. Checkout knows nothing of shards; enrolment knows the directory's claims. */
@NullMarked
package io.homeshard.examples.academy;

import org.jspecify.annotations.NullMarked;
