package io.homeshard.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.model.TenantId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NarrationTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void linesOfTwoThreadsStayWholeAndCarryTheSameClock() throws Exception {
        Narration say = new Narration(out);
        ClientLog log = new ClientLog(TenantId.of("t"));
        Thread ticker = new Thread(() -> {
            for (int i = 0; i < 500; i++) {
                say.progress(log);
            }
        });
        ticker.start();
        for (int i = 0; i < 500; i++) {
            say.step("step");
        }
        ticker.join();
        List<String> lines = lines();
        assertThat(lines.stream().filter(line -> line.matches("\\[ *\\d+\\.\\d s\\] step")))
                .hasSize(500);
        assertThat(lines.stream().filter(line -> line.matches("\\[ *\\d+\\.\\d s\\] +0 checkouts.*tenant")))
                .hasSize(500);
        assertThat(lines.stream().filter(line -> !line.isEmpty())).hasSize(1000);
    }

    @Test
    void progressComesWhileTheMainThreadIsAtSomethingElse() throws Exception {
        ClientLog log = new ClientLog(TenantId.of("t"));
        CountDownLatch printed = new CountDownLatch(1);
        PrintStream watched = new PrintStream(out, true, StandardCharsets.UTF_8) {
            @Override
            public void flush() {
                super.flush();
                printed.countDown();
            }
        };
        try (Progress progress = Progress.of(new Narration(watched), log)) {
            assertThat(printed.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(lines()).first().asString().contains("0 checkouts");
    }

    @Test
    void textIsNotAlignedAsNumbers() {
        Table table = Table.ofText("what", "value");
        table.row("pause", "992 ms");
        table.row("failed", 0);
        table.print(out);
        assertThat(lines()).endsWith("  pause   992 ms", "  failed  0");
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
