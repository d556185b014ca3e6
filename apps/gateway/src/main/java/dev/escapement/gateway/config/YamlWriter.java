package dev.escapement.gateway.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes a tree of maps, lists and text as YAML that any reader of YAML takes for the same, whatever it makes of {@code no}. Pure. */
final class YamlWriter {

    /** What no version of YAML takes for anything but text, or for the number or boolean that it is. */
    private static final Pattern PLAIN = Pattern.compile(
            "[A-Za-z0-9/][A-Za-z0-9._/+%-]*(?:, ?[A-Za-z0-9._/+%-]+)?|(?:https?://|[0-9.]+:)[A-Za-z0-9.:-]+");

    private static final Pattern BOOLEAN_ELSEWHERE = Pattern.compile("(?i)y|n|yes|no|on|off|null");
    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    static String write(Map<String, ?> tree) {
        YamlWriter writer = new YamlWriter();
        writer.map(tree, "", "");
        return writer.out.toString();
    }

    /** @param first what the first line begins with, where it is not the indent */
    private void map(Map<?, ?> map, String indent, String first) {
        String begin = first.isEmpty() ? indent : first;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(begin).append(scalar((String) entry.getKey())).append(':');
            value(entry.getValue(), indent);
            begin = indent;
        }
    }

    private void value(Object value, String indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n');
            map(map, indent + INDENT, "");
        } else if (value instanceof List<?> list && isOfMaps(list)) {
            out.append('\n');
            list.forEach(item -> map((Map<?, ?>) item, indent + INDENT + INDENT, indent + INDENT + "- "));
        } else {
            out.append(' ').append(inline(value)).append('\n');
        }
    }

    private static boolean isOfMaps(List<?> list) {
        return !list.isEmpty() && list.get(0) instanceof Map;
    }

    private static String inline(Object value) {
        if (value instanceof Map) {
            return "{}";
        }
        return value instanceof List<?> list
                ? list.stream().map(item -> scalar((String) item)).collect(Collectors.joining(", ", "[", "]"))
                : scalar((String) value);
    }

    private static String scalar(String text) {
        boolean plain = PLAIN.matcher(text).matches()
                && !BOOLEAN_ELSEWHERE.matcher(text).matches();
        return plain ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c)) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
