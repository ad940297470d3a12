package io.homeshard.migrate.json;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the few shapes of JSON that the directory keeps: objects, arrays, strings, integers, booleans, null. */
public final class Json {
    private Json() {}

    /**
     * Text of a value.
     *
     * @param value made of {@link Map}, {@link List}, {@link String}, {@link Number}, {@link Boolean} and null
     * @return one line
     */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    /**
     * The same with the members of all objects in the order of their names: equal values have one text.
     *
     * @param value the members of an object
     * @return one line
     */
    public static String canonical(Map<String, ?> value) {
        return write(sorted(value));
    }

    private static @Nullable Object sorted(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> sorted = new TreeMap<>();
            map.forEach((name, member) -> sorted.put(String.valueOf(name), sorted(member)));
            return sorted;
        }
        return value instanceof List<?> list ? list.stream().map(Json::sorted).toList() : value;
    }

    private static void append(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            appendMap(out, map);
        } else if (value instanceof List<?> list) {
            appendList(out, list);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            appendString(out, value.toString());
        }
    }

    private static void appendMap(StringBuilder out, Map<?, ?> map) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            appendString(out, String.valueOf(entry.getKey()));
            out.append(':');
            append(out, entry.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void appendList(StringBuilder out, List<?> list) {
        out.append('[');
        String separator = "";
        for (Object item : list) {
            out.append(separator);
            append(out, item);
            separator = ",";
        }
        out.append(']');
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
