/** What an operator does with moves, from the plan to the cleaning: the output of docs/operations.md. */
@NullMarked
package io.homeshard.examples.runbook;

import org.jspecify.annotations.NullMarked;
