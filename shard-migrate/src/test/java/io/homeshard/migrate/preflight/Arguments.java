package io.homeshard.migrate.preflight;

import java.util.ArrayList;
import java.util.List;

/** Takes the arguments of a call out of the text of a program, wherever its lines are broken. */
final class Arguments {
    private Arguments() {}

    /** The arguments of a call whose parenthesis has been opened just before a place; blanks outside texts as one. */
    static List<String> from(String source, int start) {
        List<String> arguments = new ArrayList<>();
        StringBuilder argument = new StringBuilder();
        int depth = 0;
        boolean text = false;
        for (int i = start; i < source.length(); i++) {
            char c = source.charAt(i);
            if (text) {
                text = c != '"';
                if (c == '\\') {
                    argument.append(c);
                    c = source.charAt(++i);
                }
            } else if (c == '"') {
                text = true;
            } else if (c == ')' && depth == 0) {
                arguments.add(stripped(argument));
                return arguments;
            } else if (c == ',' && depth == 0) {
                arguments.add(stripped(argument));
                argument.setLength(0);
                continue;
            } else if (c == '(' || c == '{') {
                depth++;
            } else if (c == ')' || c == '}') {
                depth--;
            }
            argument.append(c);
        }
        throw new AssertionError("call does not end: " + source.substring(start));
    }

    private static String stripped(StringBuilder argument) {
        return argument.toString().replaceAll("\\s+", " ").strip();
    }
}
