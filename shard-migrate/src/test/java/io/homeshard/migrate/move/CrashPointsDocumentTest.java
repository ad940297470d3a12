package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of crash points that operators read is the one of the code. */
class CrashPointsDocumentTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (directory|source|target) \\| [^|]+ \\| [^|]+ \\|$");

    @Test
    void listsEveryStepInOrderAndWhereItsEffectIs() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "move-protocol.md"));

        List<String> listed = ROW.matcher(page)
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();

        assertThat(listed)
                .isEqualTo(Arrays.stream(Step.values())
                        .map(step -> step + " " + step.place().toString().toLowerCase(Locale.ROOT))
                        .toList());
    }
}
