package io.homeshard.migrate.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.copy.SequenceAdvance;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sequence that would hand out a value again is found, whoever was to move it on. */
class SequenceBoundsTest {
    private static final TenantId T = TenantId.of("t");

    private static List<String> unmet(TwoShards shards) throws SQLException {
        TenantCatalog catalog = shards.catalog();
        return SequenceBounds.read(shards.source(), catalog, T).unmet(shards.target(), catalog).stream()
                .map(TableName::toString)
                .toList();
    }

    @Test
    void targetMustBePastTheSourcesSequenceItsOwnValuesAndTheTenants() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.up (tenant_id text, id bigserial PRIMARY KEY);
                CREATE SEQUENCE app.countdown INCREMENT -1 MINVALUE -1000 MAXVALUE -1;
                CREATE TABLE app.down (tenant_id text, id int PRIMARY KEY DEFAULT nextval('app.countdown'));
                CREATE SEQUENCE app.free;
                """)) {
            assertThat(unmet(shards)).isEmpty();
            TwoShards.run(shards.source(), "SELECT setval('app.free', 10), setval('app.up_id_seq', 7)");
            assertThat(unmet(shards))
                    .as("stands further on at the source")
                    .containsExactly("app.free", "app.up_id_seq");
            SequenceAdvance.advance(shards.target(), shards.catalog(), shards.source());
            assertThat(unmet(shards)).isEmpty();

            TwoShards.run(
                    shards.source(), "INSERT INTO app.up VALUES ('t', 500); INSERT INTO app.down VALUES ('t', -50)");
            assertThat(unmet(shards)).as("the tenant's own values").containsExactly("app.countdown", "app.up_id_seq");
            TwoShards.run(shards.target(), "SELECT setval('app.up_id_seq', 500), setval('app.countdown', -50)");
            assertThat(unmet(shards)).isEmpty();

            TwoShards.run(shards.target(), "INSERT INTO app.up VALUES ('other', 501)");
            assertThat(unmet(shards)).as("the target's values").containsExactly("app.up_id_seq");

            // at its end: it hands out nothing any more
            TwoShards.run(shards.target(), "SELECT setval('app.up_id_seq', 9223372036854775807)");
            assertThat(unmet(shards)).isEmpty();
        }
    }
}
