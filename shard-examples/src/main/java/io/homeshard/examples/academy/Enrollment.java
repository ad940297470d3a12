package io.homeshard.examples.academy;

import io.homeshard.Homeshard;
import io.homeshard.claim.Claim;
import io.homeshard.claim.ClaimSweep;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Enrols learners. An e-mail address is unique over all companies: the claim in the directory is the identity, the
 * learner's row on the company's shard follows. A crash between the two leaves a pending claim, which {@link #repair}
 * confirms or drops once its time has run out.
 */
@Service
public class Enrollment {
    private static final String NAMESPACE = "email";
    private static final String INSERT =
            "INSERT INTO academy.learners (tenant_id, learner_id, email, name) VALUES (?, ?, ?, ?)";
    private static final String DELETE = "DELETE FROM academy.learners WHERE tenant_id = ? AND learner_id = ?";
    private static final String EXISTS = "SELECT count(*) FROM academy.learners WHERE tenant_id = ? AND learner_id = ?";
    private static final String ENTER = "SELECT homeshard.enter(?, ?)";
    private static final String CLAIMS = """
            SELECT value || ' ' || tenant_id || ' ' || owner_ref FROM homeshard.claim
             WHERE namespace = 'email' AND state = 'confirmed' ORDER BY 1""";
    private static final String LEARNERS = """
            SELECT l.email || ' ' || l.tenant_id || ' ' || l.learner_id FROM academy.learners l
              JOIN homeshard.ownership o USING (tenant_id) WHERE o.state = 'owned'""";

    private final Homeshard homeshard;
    private final JdbcClient jdbc;
    private final JdbcClient directory;
    private final TransactionTemplate transaction;

    /**
     * The service.
     *
     * @param homeshard scopes and claims
     * @param jdbc a client on the application's DataSource
     * @param transactions transactions on the application's DataSource
     * @param directory the directory, for the comparison of {@link #differences}
     */
    public Enrollment(
            Homeshard homeshard,
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            @Qualifier("homeshardDirectoryDataSource") DataSource directory) {
        this.homeshard = homeshard;
        this.jdbc = jdbc;
        this.directory = JdbcClient.create(directory);
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * Enrols a learner.
     *
     * @param tenant the company
     * @param email address, compared without case and in normal form C
     * @param name the learner's name
     * @return the learner's id
     * @throws IllegalArgumentException when the address is taken; says not by whom
     */
    public UUID enroll(TenantId tenant, String email, String name) {
        UUID learner = UUID.randomUUID();
        String address = claim(tenant, email, learner, Duration.ofMinutes(5));
        insert(tenant, learner, address, name);
        confirm(tenant, address, learner);
        return learner;
    }

    String claim(TenantId tenant, String email, UUID learner, Duration ttl) {
        String address =
                Normalizer.normalize(email.strip(), Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
        if (!homeshard
                .claims()
                .claim(NAMESPACE, address, tenant, learner.toString(), ttl)
                .granted()) {
            throw new IllegalArgumentException("email is taken");
        }
        return address;
    }

    void insert(TenantId tenant, UUID learner, String address, String name) {
        homeshard.run(
                tenant,
                () -> jdbc.sql(INSERT)
                        .params(tenant.value(), learner, address, name)
                        .update());
    }

    private void confirm(TenantId tenant, String address, UUID learner) {
        StepResult confirmed = homeshard.claims().confirm(NAMESPACE, address, tenant, learner.toString());
        if (!confirmed.ok()) {
            // Too slow: the claim has expired and may be somebody else's by now. Their learner stays, ours goes.
            homeshard.run(
                    tenant,
                    () -> jdbc.sql(DELETE).params(tenant.value(), learner).update());
            throw new IllegalArgumentException("email is taken");
        }
    }

    /**
     * Looks after claims whose enrolment has crashed: confirmed when the learner is on its shard, else dropped.
     *
     * @return what was done
     */
    public ClaimSweep repair() {
        return homeshard
                .claims()
                .sweepExpired(NAMESPACE, claim -> homeshard.call(claim.tenant(), () -> isEnrolled(claim)));
    }

    /** Asked of the shard that owns the tenant at this moment: an old route would look among the retained rows. */
    private boolean isEnrolled(Claim claim) {
        Boolean enrolled = transaction.execute(status -> {
            jdbc.sql(ENTER)
                    .params(claim.tenant().value(), homeshard.router().route().generation())
                    .query(Long.class)
                    .single();
            return jdbc.sql(EXISTS)
                            .params(claim.tenant().value(), UUID.fromString(claim.ownerRef()))
                            .query(Long.class)
                            .single()
                    > 0;
        });
        return Boolean.TRUE.equals(enrolled);
    }

    /**
     * Compares claims with learners, over connections of its own.
     *
     * @param shards all shards
     * @return number of confirmed claims without learner and of learners without claim
     */
    public int differences(Collection<DataSource> shards) {
        List<String> claims =
                new ArrayList<>(directory.sql(CLAIMS).query(String.class).list());
        List<String> learners = new ArrayList<>();
        for (DataSource shard : shards) {
            learners.addAll(
                    JdbcClient.create(shard).sql(LEARNERS).query(String.class).list());
        }
        List<String> withoutLearner = new ArrayList<>(claims);
        withoutLearner.removeAll(new java.util.HashSet<>(learners));
        List<String> withoutClaim = new ArrayList<>(learners);
        withoutClaim.removeAll(new java.util.HashSet<>(claims));
        return withoutLearner.size() + withoutClaim.size();
    }
}
