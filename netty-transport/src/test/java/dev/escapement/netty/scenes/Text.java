package dev.escapement.netty.scenes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The bytes of a message as they are written in a scene: Latin-1, with {@code \e} for the end of a line (CR LF), {@code \r}, {@code \n},
 * {@code \t}, {@code \0}, {@code \xHH}, {@code \"} and {@code \\}.
 */
final class Text {

    private Text() {}

    static byte[] bytes(String written) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            if (++i == written.length()) {
                throw new IllegalArgumentException("a backslash at the end of \"" + written + "\"");
            }
            switch (written.charAt(i)) {
                case 'e' -> text.append("\r\n");
                case 'r' -> text.append('\r');
                case 'n' -> text.append('\n');
                case 't' -> text.append('\t');
                case '0' -> text.append('\0');
                case '"' -> text.append('"');
                case '\\' -> text.append('\\');
                case 'x' -> {
                    text.append((char) Integer.parseInt(written.substring(i + 1, i + 3), 16));
                    i += 2;
                }
                default ->
                    throw new IllegalArgumentException(
                            "\\" + written.charAt(i) + ": expected \\e \\r \\n \\t \\0 \\xHH \\\" or \\\\");
            }
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /** As one would write it; what is long is told by its length. */
    static String write(byte[] bytes) {
        return bytes.length > 80 ? bytes.length + " bytes" : whole(bytes);
    }

    /** As one would write it, however long it is. */
    static String whole(byte[] bytes) {
        StringBuilder text = new StringBuilder("\"");
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            switch (c) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\0' -> text.append("\\0");
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (c < ' ' || c > '~') {
                        text.append(String.format("\\x%02x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        return text.append('"').toString().replace("\\r\\n", "\\e");
    }
}
