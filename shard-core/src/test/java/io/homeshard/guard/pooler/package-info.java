/** The guard behind a connection pooler, where one session of the server serves the transactions of many clients. */
@NullMarked
package io.homeshard.guard.pooler;

import org.jspecify.annotations.NullMarked;
