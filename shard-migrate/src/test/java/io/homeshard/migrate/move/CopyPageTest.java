package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopyPageTest {
    private static final String PAGE = "performance.md";

    @Test
    void thePageSaysWhatTheDataSays() throws IOException {
        Path docs = Path.of("..", "docs");
        assertThat(Files.readString(docs.resolve(PAGE)))
                .as("write the tables anew: .ci/copy-bench -Dhomeshard.bench.parts=tables")
                .isEqualTo(filled(docs));
    }

    @Test
    void aRatioIsTheMiddleOfThoseOfOneRound() {
        String table = CopyTables.speed(List.of(
                "repeat;contender;target;rows;megabytes;seconds",
                "1;psql;guarded;1000;10.0;1.0",
                "1;one stream;guarded;1000;10.0;2.0",
                "2;psql;guarded;1000;10.0;3.0",
                "2;one stream;guarded;1000;10.0;2.0",
                "3;psql;guarded;1000;10.0;2.0",
                "3;one stream;guarded;1000;10.0;2.5"));
        assertThat(table).contains("| guarded | one stream | 1,000 | 10 | 2.00 | 5 | 0.80 |");
    }

    /** Writes the tables into the page anew. */
    static void write(Path docs) throws IOException {
        Files.writeString(docs.resolve(PAGE), filled(docs));
    }

    private static String filled(Path docs) throws IOException {
        Path data = docs.resolve("performance");
        return CopyTables.filled(
                Files.readString(docs.resolve(PAGE)),
                Files.readAllLines(data.resolve("copy-speed-18.csv")),
                Files.readAllLines(data.resolve("move-times-18.csv")));
    }
}
