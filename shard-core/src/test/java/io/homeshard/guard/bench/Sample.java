package io.homeshard.guard.bench;

import java.util.Map;

/**
 * A line of raw data.
 *
 * @param values by column
 */
record Sample(Map<String, String> values) {
    Sample {
        values = Map.copyOf(values);
    }

    String text(String column) {
        String value = values.get(column);
        if (value == null) {
            throw new IllegalArgumentException("column must be one of " + values.keySet() + ", was " + column);
        }
        return value;
    }

    double number(String column) {
        return Double.parseDouble(text(column));
    }

    boolean is(String column, Object value) {
        return text(column).equals(value.toString());
    }
}
