/** Homeshard. */
@org.jspecify.annotations.NullMarked
package io.homeshard.spring;
