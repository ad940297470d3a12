package io.homeshard.migrate.move;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, each with the kind that it must have.
 *
 * @param members by name
 */
record JsonObject(Map<String, @Nullable Object> members) {
    static JsonObject parse(String text) {
        return new JsonObject(JsonReader.object(text));
    }

    Set<String> names() {
        return members.keySet();
    }

    String text(String name) {
        String text = textOrNull(name);
        if (text == null) {
            throw wrong(name, "text");
        }
        return text;
    }

    @Nullable
    String textOrNull(String name) {
        Object value = members.get(name);
        if (value != null && !(value instanceof String)) {
            throw wrong(name, "text");
        }
        return (String) value;
    }

    BigDecimal number(String name) {
        return number(members.get(name));
    }

    @Nullable
    Long integerOrNull(String name) {
        Object value = members.get(name);
        return value == null ? null : Long.valueOf(number(value).longValueExact());
    }

    static BigDecimal number(@Nullable Object value) {
        return value instanceof BigDecimal number ? number : new BigDecimal(String.valueOf(value));
    }

    JsonObject object(String name) {
        return of(members.get(name));
    }

    List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        list(name).forEach(item -> objects.add(of(item)));
        return objects;
    }

    List<?> list(String name) {
        if (members.get(name) instanceof List<?> list) {
            return list;
        }
        throw wrong(name, "a list");
    }

    private static JsonObject of(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("member must be an object");
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), member));
        return new JsonObject(members);
    }

    private static IllegalArgumentException wrong(String name, String kind) {
        return new IllegalArgumentException("member " + name + " must be " + kind);
    }
}
