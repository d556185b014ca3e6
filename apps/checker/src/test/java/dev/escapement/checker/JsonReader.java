package dev.escapement.checker;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict reader of RFC 8259 that the tests judge the writer by: objects as maps, whole numbers as longs, null as null. */
final class JsonReader {

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** The object that this text is, whole. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        if (reader.at != text.length()) {
            throw reader.wrong("the end");
        }
        return (Map<String, Object>) value;
    }

    private Object value() {
        return switch (text.charAt(at)) {
            case '{' -> members();
            case '[' -> items();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (text.charAt(at) != '}') {
            if (!members.isEmpty()) {
                expect(',');
            }
            String name = string();
            expect(':');
            if (members.containsKey(name)) {
                throw wrong("a name not used before");
            }
            members.put(name, value());
        }
        at++;
        return members;
    }

    private List<Object> items() {
        List<Object> items = new ArrayList<>();
        at++;
        while (text.charAt(at) != ']') {
            if (!items.isEmpty()) {
                expect(',');
            }
            items.add(value());
        }
        at++;
        return items;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c < 0x20) {
                throw wrong("an escape");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == '"' || c == '\\') {
            return c;
        }
        if (c != 'u') {
            throw wrong("an escape that the writer makes");
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    /** A {@link Long}, or a {@link BigDecimal} where it has a fraction. */
    private Number number() {
        int start = at;
        while (at < text.length() && "-.0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        return number.contains(".") ? new BigDecimal(number) : (Number) Long.valueOf(number);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private void expect(char c) {
        if (text.charAt(at) != c) {
            throw wrong(String.valueOf(c));
        }
        at++;
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("at " + at + " of " + text + ": expected " + expected);
    }
}
