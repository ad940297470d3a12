/** The life of a tenant and of a shard. Creation spans two databases; whatever crashes in between, repair finishes or undoes. */
@NullMarked
package io.homeshard.tenants;

import org.jspecify.annotations.NullMarked;
