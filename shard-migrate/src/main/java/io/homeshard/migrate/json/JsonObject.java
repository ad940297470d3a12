package io.homeshard.migrate.json;

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
public record JsonObject(Map<String, @Nullable Object> members) {
    /**
     * Reads an object.
     *
     * @param text nothing but the object
     * @return the object
     * @throws IllegalArgumentException when not such a text
     */
    public static JsonObject parse(String text) {
        return new JsonObject(JsonReader.object(text));
    }

    /**
     * Names of the members.
     *
     * @return in their order
     */
    public Set<String> names() {
        return members.keySet();
    }

    /**
     * A member that must be text.
     *
     * @param name of the member
     * @return the text
     * @throws IllegalArgumentException when it is missing or no text
     */
    public String text(String name) {
        String text = textOrNull(name);
        if (text == null) {
            throw wrong(name, "text");
        }
        return text;
    }

    /**
     * A member that may be missing or null.
     *
     * @param name of the member
     * @return the text, or null
     * @throws IllegalArgumentException when it is no text
     */
    public @Nullable String textOrNull(String name) {
        Object value = members.get(name);
        if (value != null && !(value instanceof String)) {
            throw wrong(name, "text");
        }
        return (String) value;
    }

    /**
     * A member that must be a number, or text that is one.
     *
     * @param name of the member
     * @return the number
     * @throws IllegalArgumentException when it is none
     */
    public BigDecimal number(String name) {
        return number(members.get(name));
    }

    /**
     * A member that may be missing or null.
     *
     * @param name of the member
     * @return the number, or null
     * @throws IllegalArgumentException when it is no number
     */
    public @Nullable Long integerOrNull(String name) {
        Object value = members.get(name);
        return value == null ? null : Long.valueOf(number(value).longValueExact());
    }

    /**
     * A value as a number.
     *
     * @param value of a member or a list
     * @return the number
     * @throws IllegalArgumentException when it is none
     */
    public static BigDecimal number(@Nullable Object value) {
        return value instanceof BigDecimal number ? number : new BigDecimal(String.valueOf(value));
    }

    /**
     * A member that must be an object.
     *
     * @param name of the member
     * @return the object
     * @throws IllegalArgumentException when it is none
     */
    public JsonObject object(String name) {
        return of(members.get(name));
    }

    /**
     * A member that must be a list of objects.
     *
     * @param name of the member
     * @return the objects
     * @throws IllegalArgumentException when it is none
     */
    public List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        list(name).forEach(item -> objects.add(of(item)));
        return objects;
    }

    /**
     * A member that must be a list.
     *
     * @param name of the member
     * @return the values
     * @throws IllegalArgumentException when it is none
     */
    public List<?> list(String name) {
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
