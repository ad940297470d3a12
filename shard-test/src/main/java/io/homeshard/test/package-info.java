/**
 * Real PostgreSQL for tests: servers that start once for the JVM, a fresh database for each test, clusters of a
 * directory and its shards, and a proxy that breaks the network between them.
 */
@NullMarked
package io.homeshard.test;

import org.jspecify.annotations.NullMarked;
