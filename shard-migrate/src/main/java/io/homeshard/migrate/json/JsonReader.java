package io.homeshard.migrate.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what {@link Json} wrote and PostgreSQL kept. Numbers become {@link BigDecimal}. */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** The members of an object; the text must hold nothing else. */
    static Map<String, @Nullable Object> object(String text) {
        JsonReader reader = new JsonReader(text);
        Map<String, @Nullable Object> result = reader.map();
        reader.blanks();
        if (reader.at != text.length()) {
            throw reader.malformed();
        }
        return result;
    }

    private @Nullable Object value() {
        blanks();
        char c = peek();
        if (c == '{') {
            return map();
        }
        if (c == '[') {
            return list();
        }
        return c == '"' ? string() : scalar();
    }

    private Map<String, @Nullable Object> map() {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        expect('{');
        if (accept('}')) {
            return result;
        }
        do {
            blanks();
            String key = string();
            expect(':');
            result.put(key, value());
        } while (accept(','));
        expect('}');
        return result;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> result = new ArrayList<>();
        expect('[');
        if (accept(']')) {
            return result;
        }
        do {
            result.add(value());
        } while (accept(','));
        expect(']');
        return result;
    }

    private String string() {
        expect('"');
        StringBuilder result = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            result.append(c == '\\' ? escaped() : c);
        }
        at++;
        return result.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw malformed();
                }
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private @Nullable Object scalar() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> new BigDecimal(word);
        };
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean accept(char c) {
        blanks();
        if (peek() == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw malformed();
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
