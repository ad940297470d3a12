package io.homeshard.tenants;

import static io.homeshard.tenants.TenantsFixture.S1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.MisroutedWriteException;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import io.homeshard.test.FaultProxy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The directory goes away, or loses an answer, while a tenant is being created. */
class CreationFaultsTest {
    private static final TenantId ACME = TenantId.of("acme");

    private final TenantsFixture fixture = new TenantsFixture();
    private final FaultProxy network = FaultProxy.to(
            fixture.cluster.directory().host(), fixture.cluster.directory().port());

    @AfterEach
    void close() {
        network.close();
        fixture.close();
    }

    @Test
    void aTenantThatIsInServiceIsCreatedThoughItsJournalEntryCouldNotBeEnded() {
        Placement placement = cutAt(ProvisioningStep.ACTIVATED).createOn(ACME, S1);
        assertThat(placement).isEqualTo(new Placement(ACME, S1, 1, PlacementState.ACTIVE, 0));
        assertThat(fixture.disagreements(ACME)).isEmpty();
        assertThat(fixture.journaled()).isEqualTo(1);
        fixture.expire();
        assertThat(fixture.tenants().repair().finished()).containsExactly(ACME);
        assertThat(fixture.journaled()).isZero();
    }

    @Test
    void aCommitWithoutAnAnswerIsOfUnknownOutcomeAndNamesItsOperation() {
        assertThatThrownBy(() -> cutAt(ProvisioningStep.VERIFIED).createOn(ACME, S1))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(DirectoryUnavailableException.class)
                .hasMessageContaining(
                        "operation=" + fixture.onShard(S1, ACME).orElseThrow().move())
                .hasMessageContaining("repair()");
        fixture.expire();
        assertThat(fixture.tenants().repair().undone()).containsExactly(ACME);
        assertThat(fixture.disagreements(ACME)).isEmpty();
    }

    @Test
    void anAnswerThatWasLostIsAskedForAgain() {
        for (String step : new String[] {"beginCreate", "commitCreate"}) {
            TenantId tenant = TenantId.of("t-" + step.toLowerCase(java.util.Locale.ROOT));
            Tenants tenants = new ProvisionedTenants(
                    parts(fixture.directory, losingAnswers(step, 2)), ProvisionedTenants.LEASE, reached -> {});
            assertThat(tenants.createOn(tenant, S1))
                    .isEqualTo(fixture.directory.find(tenant).orElseThrow());
            assertThat(fixture.disagreements(tenant)).isEmpty();
            assertThat(fixture.journaled()).isZero();
        }
    }

    @Test
    void anAnswerThatStaysLostIsOfUnknownOutcomeThoughTheTenantExists() {
        Tenants tenants = new ProvisionedTenants(
                parts(fixture.directory, losingAnswers("commitCreate", 3)), ProvisionedTenants.LEASE, reached -> {});
        assertThatThrownBy(() -> tenants.createOn(ACME, S1)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(fixture.tenants().repair().finished())
                .as("its lease was given up")
                .containsExactly(ACME);
        assertThat(fixture.disagreements(ACME)).isEmpty();
    }

    @Test
    void aShardThatHoldsTheTenantOtherwiseIsAnAlarmAndNotWorthARepetition() throws SQLException {
        try (Connection shard = fixture.cluster.shard(0).connect()) {
            Jdbc.update(
                    shard,
                    "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES ('acme', 5, 'owned')");
        }
        assertThatThrownBy(() -> fixture.tenants().createOn(ACME, S1))
                .isInstanceOf(MisroutedWriteException.class)
                .hasMessageContaining("shard s1 (generation 1)")
                .hasMessageContaining("acme")
                .hasMessageContaining("reconcile");
        assertThat(fixture.onShard(S1, ACME).orElseThrow().generation()).isEqualTo(5);
    }

    @Test
    void aShardWithoutItsSchemaIsNotWorthARepetitionAndNothingIsLeft() throws SQLException {
        try (Connection shard = fixture.cluster.shard(0).connect()) {
            Jdbc.run(shard, "ALTER SCHEMA homeshard RENAME TO homeshard_gone");
            assertThatThrownBy(() -> fixture.tenants().createOn(ACME, S1))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContaining("shard s1")
                    .hasMessageContaining("SchemaRollout.migrate()");
            assertThat(fixture.directory.find(ACME)).isEmpty();
            assertThat(fixture.journaled()).isZero();
            Jdbc.run(shard, "ALTER SCHEMA homeshard_gone RENAME TO homeshard");
        }
        assertThat(fixture.tenants().createOn(ACME, S1).generation()).isEqualTo(2);
        assertThat(fixture.disagreements(ACME)).isEmpty();
    }

    private Tenants cutAt(ProvisioningStep step) {
        Database database = fixture.cluster.directory();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(network.jdbcUrl(database.name()));
        source.setUser(database.user());
        source.setPassword(database.password());
        Consumer<ProvisioningStep> cut = reached -> {
            if (reached == step) {
                network.cut();
            }
        };
        return new ProvisionedTenants(
                parts(Directory.jdbc(source), DirectoryAdmin.jdbc(source)), ProvisionedTenants.LEASE, cut);
    }

    private TenantsParts parts(Directory directory, DirectoryAdmin admin) {
        return new TenantsParts(directory, admin, fixture.guard, fixture.parts.pools(), fixture.parts.policy());
    }

    /** The real directory, whose first answers to one step get lost after it was done. */
    private DirectoryAdmin losingAnswers(String step, int count) {
        AtomicInteger left = new AtomicInteger(count);
        return (DirectoryAdmin) Proxy.newProxyInstance(
                DirectoryAdmin.class.getClassLoader(),
                new Class<?>[] {DirectoryAdmin.class},
                (self, method, values) -> {
                    Object answer;
                    try {
                        answer = method.invoke(fixture.admin, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals(step) && left.getAndDecrement() > 0) {
                        throw new DirectoryUnavailableException("directory - answer lost by the test", null);
                    }
                    return answer;
                });
    }
}
