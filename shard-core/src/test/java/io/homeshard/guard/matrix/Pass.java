package io.homeshard.guard.matrix;

import java.sql.SQLException;

/**
 * What a session remembers in the slot of a tenant. The tests know the slots in order to spoil them; the guard's own
 * formula is {@code homeshard.passes}.
 *
 * @param setting name of the slot's setting
 * @param value the pass, or empty
 */
record Pass(String setting, String value) {
    /** Tenants that share the slot of {a}, after a number that the caller gives. */
    private static final String SAME_SLOT = """
            SELECT 's' || i FROM generate_series(CAST(? AS bigint), CAST(? AS bigint) + 20000) i
             WHERE (hashtext('s' || i) & 1023) = (hashtext(?) & 1023) LIMIT 1""";

    private static final String SETTING = "SELECT 'homeshard.pass_' || to_hex(hashtext(?) & 1023)";
    private static final String VALUE = "SELECT coalesce(current_setting(?, true), '')";
    private static final String SET = "SELECT set_config(?, ?, false)";

    static Pass of(Session session, Subject tenant) throws SQLException {
        String setting = session.value(SETTING, tenant.name());
        return new Pass(setting, session.value(VALUE, setting));
    }

    /** A tenant whose pass lies in the same slot as that of another. */
    static Subject neighbour(Session session, Subject tenant) throws SQLException {
        long from = tenant.token().epoch() * 100_000;
        return Subject.named(session.value(SAME_SLOT, from, from, tenant.name()));
    }

    boolean isFor(Subject tenant) {
        return value.startsWith(tenant.name());
    }

    /** The pass with another tenant's name in the place of one, where it has one. */
    Pass renamed(Subject from, Subject to) {
        return isFor(from)
                ? new Pass(setting, to.name() + value.substring(from.name().length()))
                : this;
    }

    /** The pass in the slot of another tenant. */
    Pass in(Pass slot) {
        return new Pass(slot.setting, value);
    }

    /** Puts it there, as anybody can. */
    void plant(Session session) throws SQLException {
        session.value(SET, setting, value);
    }
}
