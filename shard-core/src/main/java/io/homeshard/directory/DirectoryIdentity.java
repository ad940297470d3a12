package io.homeshard.directory;

import java.util.UUID;

/**
 * Who a directory is.
 *
 * @param id given once, when its schema was created
 * @param incarnation counts restores
 * @param schemaNumber version of its schema
 */
public record DirectoryIdentity(UUID id, int incarnation, int schemaNumber) {}
