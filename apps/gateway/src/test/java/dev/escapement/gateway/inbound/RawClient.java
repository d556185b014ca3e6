package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A client that sends whatever bytes a test likes, and reads answers as an honest one would. One thread. */
final class RawClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;

    /** One answer; interim ones are counted. */
    record Answer(int status, Map<String, String> fields, String body, int interim) {

        boolean closes() {
            return "close".equals(fields.get("connection"));
        }
    }

    final Socket socket;
    private final InputStream in;

    RawClient(InetSocketAddress address) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()));
    }

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void send(String text) throws IOException {
        send(text.getBytes(ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** The next answer with a body, as one to GET. */
    Answer answer() throws IOException {
        return answer(false);
    }

    /** The next answer. */
    Answer answer(boolean toHead) throws IOException {
        int interim = 0;
        while (true) {
            String line = line();
            int status = Integer.parseInt(line.substring(9, 12));
            Map<String, String> fields = fields();
            if (status >= 200) {
                return new Answer(
                        status, fields, toHead || status == 304 || status == 204 ? "" : body(fields), interim);
            }
            interim++;
        }
    }

    private Map<String, String> fields() throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            fields.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        }
        return fields;
    }

    private String body(Map<String, String> fields) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if ("chunked".equals(fields.get("transfer-encoding"))) {
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                body.writeBytes(exactly(size));
                line();
            }
            fields.putAll(fields());
        } else if (fields.containsKey("content-length")) {
            body.writeBytes(exactly(Integer.parseInt(fields.get("content-length"))));
        } else {
            in.transferTo(body);
        }
        return body.toString(ISO_8859_1);
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("the connection ended in a body");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended after: " + line);
            }
            line.append((char) c);
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }

    /** Everything up to the end of the connection, which must come in an orderly way. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    /** Says its last word before the end of its scope. */
    void leave() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
