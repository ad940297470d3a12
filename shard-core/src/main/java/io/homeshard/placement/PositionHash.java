package io.homeshard.placement;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Maps a label to a position on the ring: all 64 bits, compared unsigned. */
@FunctionalInterface
interface PositionHash {
    long position(String label);

    /** The first eight bytes of SHA-256 over UTF-8: fixed for ever, since new tenants would be placed otherwise. */
    static PositionHash sha256() {
        return label -> {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(label.getBytes(StandardCharsets.UTF_8));
                return ByteBuffer.wrap(digest).getLong();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("SHA-256 is part of every Java platform", e);
            }
        };
    }
}
