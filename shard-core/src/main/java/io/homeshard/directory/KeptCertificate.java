package io.homeshard.directory;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A certificate as the directory keeps it.
 *
 * @param move the move
 * @param number its place in the tenant's chain, from 1
 * @param hash SHA-256 of the body as UTF-8, in hexadecimal
 * @param previous hash of the one before, or null for the first
 * @param body the text
 */
public record KeptCertificate(
        UUID move, long number, String hash, @Nullable String previous, String body) {}
