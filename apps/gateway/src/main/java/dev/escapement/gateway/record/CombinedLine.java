package dev.escapement.gateway.record;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * The combined format that every log reader knows: {@code addr - - [time] "GET /p HTTP/1.1" 200 1234 "referer" "agent"}. Immutable.
 *
 * <p>Quotes, backslashes, control characters and all beyond ASCII are written as {@code \xHH}, byte by byte, as nginx does. Times are UTC, the
 * bytes are those of the whole answer, a status of 000 is an answer without a head. The referer is told where its field is named.
 */
final class CombinedLine implements LineFormat {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "dd/MMM/uuuu:HH:mm:ss '+0000'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final String HEX = "0123456789ABCDEF";

    private final ToldRequest told;

    CombinedLine(AccessLogConfig config) {
        told = new ToldRequest(config);
    }

    @Override
    public Lines to(OutputStream out) {
        return (record, nowNanos) -> write(record, out);
    }

    private void write(RequestRecord record, OutputStream out) throws IOException {
        InboundRequest request = record.request;
        StringBuilder line = new StringBuilder(256);
        escape(line, record.client);
        line.append(" - - [");
        TIME.formatTo(Instant.ofEpochMilli(record.arrivedMillis), line);
        line.append("] \"");
        escape(line, request.method());
        line.append(' ');
        escape(line, told.target(request));
        line.append(request.minorVersion() == 0 ? " HTTP/1.0\" " : " HTTP/1.1\" ");
        status(line, record.status);
        line.append(' ').append(record.bytesOut).append(' ');
        quote(line, told.tells("referer") ? ToldRequest.value(request, "referer") : Optional.empty());
        line.append(' ');
        quote(line, ToldRequest.value(request, "user-agent"));
        line.append('\n');
        out.write(line.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** Three digits always. */
    private static void status(StringBuilder line, int status) {
        line.append(status < 100 ? "000" : String.valueOf(status));
    }

    private static void quote(StringBuilder line, Optional<String> text) {
        line.append('"');
        escape(line, text.orElse("-"));
        line.append('"');
    }

    private static void escape(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c < ' ' || (c >= 0x7f && c <= 0xff)) {
                hex(line, c);
            } else if (c > 0xff) {
                // Never a client's: its bytes are read as Latin-1.
                for (byte b : text.substring(i, i + 1).getBytes(StandardCharsets.UTF_8)) {
                    hex(line, b & 0xff);
                }
            } else {
                line.append(c);
            }
        }
    }

    private static void hex(StringBuilder line, int b) {
        line.append("\\x").append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 0xf));
    }
}
