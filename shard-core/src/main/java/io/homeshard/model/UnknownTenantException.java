package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The directory does not know the tenant. Not worth a retry. */
public final class UnknownTenantException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public UnknownTenantException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * A tenant that is not in the directory.
     *
     * @param tenant the tenant
     * @return the exception, in the one wording that all parts use
     */
    public static UnknownTenantException of(TenantId tenant) {
        return new UnknownTenantException(
                "tenant " + tenant + " - is not in the directory; tenants().create() creates it", null);
    }
}
