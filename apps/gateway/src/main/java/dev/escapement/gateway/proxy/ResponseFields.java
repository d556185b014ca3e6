package dev.escapement.gateway.proxy;

import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which of an upstream's fields are passed on to the client, interim answers' included, and what is added. */
final class ResponseFields {

    static final String PROXY_STATUS = "Proxy-Status";

    /** About the hop between us and the upstream (RFC 9110 §11.7). */
    private static final FieldNames OF_THIS_HOP = FieldNames.of("Proxy-Authenticate", "Proxy");

    private ResponseFields() {}

    /** The upstream's fields without what is about its connection. */
    static Headers passed(Headers headers) {
        return passed(headers, new String[0]);
    }

    /**
     * The upstream's fields without what is about its connection, and these.
     *
     * @param ours names and values in turn; lines of ours replace the upstream's of the same name, but for lists, which are joined before
     */
    static Headers passed(Headers headers, String... ours) {
        List<String> nominated = nominated(headers);
        String[] lines = new String[2 * headers.count() + ours.length];
        int length = 0;
        for (int i = 0; i < headers.count(); i++) {
            String name = headers.nameAt(i);
            if (!HopByHop.ALWAYS.contains(name)
                    && !OF_THIS_HOP.contains(name)
                    && !isAmong(nominated, name)
                    && !isReplaced(ours, name)) {
                lines[length++] = name;
                lines[length++] = headers.valueAt(i);
            }
        }
        System.arraycopy(ours, 0, lines, length, ours.length);
        return Headers.of(Arrays.copyOf(lines, length + ours.length));
    }

    private static boolean isReplaced(String[] ours, String name) {
        for (int i = 0; i < ours.length; i += 2) {
            if (ours[i].equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private static List<String> nominated(Headers headers) {
        List<String> names = List.of();
        for (int i = 0; i < headers.count(); i++) {
            if (headers.nameAt(i).equalsIgnoreCase("Connection")) {
                names = names.isEmpty() ? new ArrayList<>() : names;
                for (String option : headers.valueAt(i).split(",", -1)) {
                    names.add(option.strip());
                }
            }
        }
        return names;
    }

    private static boolean isAmong(List<String> names, String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
