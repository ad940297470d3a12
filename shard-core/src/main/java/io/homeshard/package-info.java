/** The front door: builds Homeshard from its parts and runs code for one tenant. Nothing in this library points at it. */
@NullMarked
package io.homeshard;

import org.jspecify.annotations.NullMarked;
