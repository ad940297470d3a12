/** Which tenant is this call for? Scopes, never inherited by threads. */
@NullMarked
package io.homeshard.context;

import org.jspecify.annotations.NullMarked;
