package io.homeshard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://u:hush@h/d",
                "jdbc:postgresql://u:hu/sh@h:5432/d?ssl=true",
                "jdbc:postgresql://hush@h/d",
                "jdbc:postgresql://h/d?user=hush",
                "jdbc:postgresql://h/d?ssl=true&password=hush",
                "jdbc:postgresql://h/d?sslpassword=hush",
                "jdbc:postgresql://h/d?ssl=true&SslPassword=hush"
            })
    void anAddressThatCarriesALoginIsRefusedAndNotPrinted(String url) {
        assertThatThrownBy(() -> Shard.of("s1", url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jdbcUrl of shard s1")
                .hasMessageContaining("ShardCredentials")
                .hasMessageNotContaining("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h1:5432,h2:5433/d?targetServerType=primary",
                "jdbc:postgresql://[::1]:5432/d%40x",
                "jdbc:postgresql://h/d?ssl=true&sslpasswordcallback=com.example.Callback&options=-c%20a.b=c@d"
            })
    void otherAddressesAreTaken(String url) {
        assertThat(Shard.of("s1", url).jdbcUrl()).isEqualTo(url);
    }

    @Test
    void anAddressOfAnotherKindIsRefused() {
        assertThatThrownBy(() -> Shard.of("s1", "jdbc:mysql://h/d")).hasMessageContaining("jdbc:postgresql:");
    }
}
