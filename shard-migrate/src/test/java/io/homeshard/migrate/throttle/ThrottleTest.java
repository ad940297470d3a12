package io.homeshard.migrate.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    /** Time that passes only while somebody sleeps. */
    private static final class Manual implements Clocks {
        private long nanos;
        private Duration slept = Duration.ZERO;

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void sleep(Duration duration) {
            slept = slept.plus(duration);
            nanos += duration.toNanos();
        }
    }

    @Test
    void holdsTheMeanRateHoweverSmallThePieces() throws InterruptedException {
        Manual time = new Manual();
        Throttle throttle = Throttle.bytesPerSecond(1000, time);
        for (int piece = 0; piece < 10_000; piece++) {
            throttle.passed(1, () -> {});
        }
        assertThat(time.slept).isBetween(Duration.ofMillis(9990), Duration.ofMillis(10_000));
    }

    @Test
    void idleTimeIsNotSavedUpForABurst() throws InterruptedException {
        Manual time = new Manual();
        Throttle throttle = Throttle.bytesPerSecond(1000, time);
        time.nanos += Duration.ofHours(1).toNanos();
        throttle.passed(2000, () -> {});
        assertThat(time.slept).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void rateMustBePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Throttle.bytesPerSecond(0, Clocks.system()))
                .withMessageContaining("was 0");
    }
}
