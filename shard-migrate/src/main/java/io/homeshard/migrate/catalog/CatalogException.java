package io.homeshard.migrate.catalog;

import io.homeshard.model.PermanentHomeshardException;

/** The tables of a shard are not as the declaration says. */
public final class CatalogException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * Without a cause.
     *
     * @param message which tables, what is wrong with them, and the remedy
     */
    public CatalogException(String message) {
        super(message, null);
    }
}
