package io.homeshard.guard.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One way to keep a tenant's writes where they belong.
 *
 * @param name as in the tables
 * @param shape what is on the tables
 * @param entry what the client sends
 */
record Contender(String name, String shape, Entry entry) {
    /** The measure of all others. */
    static final Contender UNGUARDED = new Contender("unguarded", Shapes.NONE, Entry.NONE);

    static final Contender DEFAULT = new Contender("default", Shapes.DEFAULT, Entry.NONE);
    static final Contender DEFAULT_ENTERED = new Contender("default + enter", Shapes.DEFAULT, Entry.ENTER);
    static final Contender BY_HAND = new Contender("fence by hand", Shapes.NONE, Entry.BY_HAND);

    /** The guard with a shape that keeps nothing but its triggers. */
    static Contender shaped(String shape) {
        return new Contender(shape, shape, shape.startsWith("enter") ? Entry.ENTER : Entry.NONE);
    }

    /** All that are compared with {@link #UNGUARDED}. */
    static List<Contender> all() {
        List<Contender> all = new ArrayList<>(List.of(DEFAULT, DEFAULT_ENTERED));
        Shapes.others().forEach(shape -> all.add(shaped(shape)));
        all.add(BY_HAND);
        return wanted(all);
    }

    /** Those whose throughput is of interest, {@link #UNGUARDED} first. */
    static List<Contender> chosen() {
        List<Contender> chosen = new ArrayList<>(List.of(UNGUARDED, DEFAULT));
        Shapes.others().stream()
                .filter(shape -> shape.equals("statement") || shape.equals("statement-pass"))
                .forEach(shape -> chosen.add(shaped(shape)));
        chosen.add(BY_HAND);
        return wanted(chosen);
    }

    /** Those that a mover freezes. */
    static List<Contender> frozen() {
        List<Contender> frozen = new ArrayList<>(List.of(DEFAULT, DEFAULT_ENTERED));
        chosen().stream()
                .filter(contender -> !contender.shape().equals(Shapes.NONE) && contender != DEFAULT)
                .forEach(frozen::add);
        return wanted(frozen);
    }

    /** Those that the system property {@code homeshard.bench.contenders} names, if it names any; never without the measure. */
    private static List<Contender> wanted(List<Contender> contenders) {
        String names = System.getProperty("homeshard.bench.contenders", "");
        List<String> wanted = List.of(names.split(","));
        return contenders.stream()
                .filter(contender -> names.isEmpty() || contender == UNGUARDED || wanted.contains(contender.name()))
                .toList();
    }

    /** Part of a name of a database. */
    String key() {
        return name.replaceAll("[^a-z]+", "_");
    }
}
