/** Values that are unique over all tenants and shards, such as e-mail addresses: the directory holds a claim for each. */
@NullMarked
package io.homeshard.claim;

import org.jspecify.annotations.NullMarked;
