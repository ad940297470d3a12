package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.SchemaLine.Kind;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds what is not the same on two shards: one finding for each object. */
final class SchemaComparison {
    private static final int SHOWN = 200;

    private static final Comparator<SchemaLine.Key> ORDER = Comparator.comparing(
                    SchemaLine.Key::table, Comparator.nullsLast(Comparator.<TableName>naturalOrder()))
            .thenComparing(SchemaLine.Key::kind)
            .thenComparing(SchemaLine.Key::object);

    private final ShardId shard;

    private SchemaComparison(ShardId shard) {
        this.shard = shard;
    }

    /**
     * Compares.
     *
     * @param source lines of the source
     * @param target lines of the target
     * @param shard the target, for the findings
     * @return findings by table and kind; empty when there is no difference
     */
    static List<Finding> compare(SchemaLines source, SchemaLines target, ShardId shard) {
        return new SchemaComparison(shard).compare(byKey(source), byKey(target));
    }

    private static Map<SchemaLine.Key, SchemaLine> byKey(SchemaLines lines) {
        Map<SchemaLine.Key, SchemaLine> result = new HashMap<>();
        lines.lines().forEach(line -> result.put(line.key(), line));
        return result;
    }

    private List<Finding> compare(Map<SchemaLine.Key, SchemaLine> there, Map<SchemaLine.Key, SchemaLine> here) {
        Map<SchemaLine.Key, Finding> findings = new TreeMap<>(ORDER);
        Set<SchemaLine.Key> keys = new HashSet<>(there.keySet());
        keys.addAll(here.keySet());
        for (SchemaLine.Key key : keys) {
            SchemaLine theirs = there.get(key);
            SchemaLine ours = here.get(key);
            Finding finding = theirs == null || ours == null
                    ? oneSided(key, theirs, ours)
                    : theirs.text().equals(ours.text()) ? null : differs(theirs, ours);
            if (finding != null && !impliedBy(key, there, here)) {
                findings.put(key, finding);
            }
        }
        return new ArrayList<>(findings.values());
    }

    /** When a whole table is absent, its parts need no findings of their own. */
    private static boolean impliedBy(
            SchemaLine.Key key, Map<SchemaLine.Key, SchemaLine> there, Map<SchemaLine.Key, SchemaLine> here) {
        SchemaLine.Key table = new SchemaLine.Key(Kind.TABLE, key.table(), "table");
        return key.table() != null && key.kind() != Kind.TABLE && there.containsKey(table) != here.containsKey(table);
    }

    private @Nullable Finding oneSided(SchemaLine.Key key, @Nullable SchemaLine theirs, @Nullable SchemaLine ours) {
        if (ours != null) {
            // what is there in one version only was found as missing already, by its name
            return versioned(key.kind()) ? null : finding(ours, "-extra", extra(ours), remedy(ours, true));
        }
        return theirs == null || versioned(key.kind())
                ? null
                : finding(
                        theirs,
                        "-missing",
                        describe(theirs) + " is missing; on the source it is " + shown(theirs),
                        remedy(theirs, false));
    }

    private static boolean versioned(Kind kind) {
        return kind == Kind.COLLATION_VERSION || kind == Kind.EXTENSION_VERSION || kind == Kind.TRIGGER_STATE;
    }

    private static String extra(SchemaLine ours) {
        return describe(ours) + " is not there on the source; here it is " + shown(ours);
    }

    private Finding differs(SchemaLine theirs, SchemaLine ours) {
        String what = theirs.kind() == Kind.FUNCTION
                        && ours.text().length() == theirs.text().length()
                ? " has another definition than on the source"
                : " is " + shown(ours) + ", and on the source " + shown(theirs);
        return finding(
                ours,
                "-differs",
                describe(ours) + what,
                ours.kind() == Kind.COLLATION_VERSION && ours.object().equals(UsedObjectLines.DATABASE_COLLATION)
                        ? databaseCollation(theirs, ours)
                        : remedy(theirs, false));
    }

    /** A version can be brought up to date; the locale of a database is the one that it was made with. */
    private static String databaseCollation(SchemaLine theirs, SchemaLine ours) {
        return locale(theirs).equals(locale(ours))
                ? "REINDEX DATABASE and then ALTER DATABASE ... REFRESH COLLATION VERSION where it is due, or accept that"
                        + " the shards order texts differently"
                : "use a target whose database was made with the locale and its provider of the source's, which no"
                        + " statement changes later, or accept that the shards order texts differently";
    }

    private static String locale(SchemaLine line) {
        return line.text().replaceAll(" " + UsedObjectLines.MADE_BY + "( .*)?$", "");
    }

    private Finding finding(SchemaLine line, String how, String problem, String remedy) {
        // whose absence or presence matters by itself has names of its own
        boolean three = line.kind() == Kind.TABLE || line.kind() == Kind.COLUMN;
        return new Finding(
                line.kind().severity(),
                line.kind().label() + (three ? how : "-differs"),
                shard,
                line.table(),
                line.column(),
                problem,
                remedy);
    }

    private static String describe(SchemaLine line) {
        return switch (line.kind()) {
            case TABLE -> "the table";
            case PARTITIONING -> "the partitioning";
            case TENANT_COLUMN -> "the tenant column";
            case POLICY -> line.object().isEmpty() ? "row-level security" : "policy " + line.object();
            case TRIGGER_STATE -> "state of trigger " + line.object();
            case COLLATION_VERSION -> "version of collation " + line.object();
            case EXTENSION_VERSION -> "version of extension " + line.object();
            case HISTORY -> "script " + line.object();
            default -> line.kind().label() + " " + line.object();
        };
    }

    private static String shown(SchemaLine line) {
        String text = line.text();
        return "[" + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...") + "]";
    }

    /** What makes the target like the source; for what is there too much, the source like the target or the reverse. */
    private static String remedy(SchemaLine source, boolean extra) {
        String object = source.object();
        return switch (source.kind()) {
            case COLLATION_VERSION ->
                "ALTER COLLATION " + object + " REFRESH VERSION and REINDEX where it is due, or"
                        + " accept that the shards order texts differently";
            case EXTENSION_VERSION ->
                "ALTER EXTENSION " + Identifiers.quote(object) + " UPDATE TO '" + source.text()
                        + "', or accept the difference";
            case EXTENSION ->
                extra
                        ? "use the extension on both shards or on neither"
                        : "CREATE EXTENSION " + Identifiers.quote(object) + ", " + source.text() + ", as on the source";
            case ENUM ->
                "ALTER TYPE " + object + " ADD VALUE ... BEFORE|AFTER ... until the labels are equal, in order";
            case HISTORY -> "run the application's scripts on both shards, or accept the difference";
            case TRIGGER_STATE, POLICY -> "make both shards alike, or accept the difference";
            default -> "roll the schema out on both shards";
        };
    }
}
