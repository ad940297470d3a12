/** What the tests of this module share: schemas on real databases. */
@NullMarked
package io.homeshard.testing;

import org.jspecify.annotations.NullMarked;
