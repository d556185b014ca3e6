package dev.escapement.example;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** HTTP/1.1 in the clear: a thread, a connection and a blocking socket for each attempt. */
public final class SocketTransport implements Transport {

    @Override
    public Attempt send(Request request, Exchange exchange) {
        Flight flight = new Flight(request, exchange);
        new Thread(flight, "attempt").start(); // send must not block
        return flight;
    }

    private static final class Flight implements Runnable, Attempt {

        private final Request request;
        private final Exchange exchange;
        private final Socket socket = new Socket();
        private boolean connected;
        private boolean sent;
        private boolean replyStarted;

        Flight(Request request, Exchange exchange) {
            this.request = request;
            this.exchange = exchange;
        }

        /** E7: what blocks on the socket is woken by its closing, and its thread reports clean. */
        @Override
        public void abandon() {
            try {
                socket.close();
            } catch (IOException closedAnyway) {
                // Nothing is left to close.
            }
        }

        @Override
        public void run() {
            Response response = null;
            TransportFailure failure = null;
            try (socket) {
                response = converse();
            } catch (IOException | IllegalArgumentException broken) {
                failure = failure(broken);
            }
            // E6: a connection serves one attempt and is closed. Clean comes before the result: nothing is held any
            // more.
            ConnectionFate ended = response == null ? ConnectionFate.POISONED : ConnectionFate.CLOSED;
            exchange.clean(connected ? ended : ConnectionFate.NONE, 0);
            if (response != null && !exchange.succeed(response)) {
                response.release(); // A5: too late, and still ours
            } else if (failure != null) {
                exchange.fail(failure);
            }
        }

        private Response converse() throws IOException {
            var endpoint = exchange.endpoint();
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
            connected = true;
            exchange.connected(false);
            byte[] bytes = bytesOf(request);
            if (!exchange.tryWrite()) { // E1: abandoned, so that nothing may leave
                throw new IOException("abandoned before anything was written");
            }
            OutputStream out = socket.getOutputStream();
            for (int at = 0; at < bytes.length; at += 8_192) {
                int count = Math.min(8_192, bytes.length - at);
                out.write(bytes, at, count);
                exchange.written(at + count);
            }
            exchange.requestSent();
            sent = true;
            InputStream in = new BufferedInputStream(socket.getInputStream());
            in.mark(1);
            if (in.read() < 0) {
                throw new IOException("closed before a response began");
            }
            in.reset();
            exchange.replyStarted();
            replyStarted = true;
            return response(in);
        }

        private static byte[] bytesOf(Request request) {
            ByteBuffer body = request.body().content();
            StringBuilder head = new StringBuilder(
                    request.method().name() + " " + request.uri().getRawPath());
            if (request.uri().getRawQuery() != null) {
                head.append('?').append(request.uri().getRawQuery());
            }
            head.append(
                    " HTTP/1.1\r\nConnection: close\r\nHost: " + request.uri().getRawAuthority() + "\r\n");
            for (int i = 0; i < request.headers().count(); i++) {
                head.append(
                        request.headers().nameAt(i) + ": " + request.headers().valueAt(i) + "\r\n");
            }
            head.append("Content-Length: " + body.remaining() + "\r\n\r\n");
            byte[] headBytes = head.toString().getBytes(StandardCharsets.ISO_8859_1);
            ByteBuffer whole = ByteBuffer.allocate(headBytes.length + body.remaining());
            return whole.put(headBytes).put(body).array();
        }

        /** The next answer that is final; of bodies only those of a stated length are understood here. */
        private Response response(InputStream in) throws IOException {
            String[] start = line(in).split(" ", 3);
            if (!start[0].equals("HTTP/1.1") || start.length < 2) {
                throw new IllegalArgumentException("not HTTP/1.1");
            }
            int status = Integer.parseInt(start[1]);
            List<String> fields = new ArrayList<>();
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                int colon = line.indexOf(':');
                fields.add(line.substring(0, colon));
                fields.add(line.substring(colon + 1).strip());
            }
            Headers headers = Headers.of(fields.toArray(String[]::new));
            boolean bodiless = request.method().equals(Method.HEAD) || status == 204 || status == 304;
            int length = bodiless
                    ? 0
                    : Integer.parseInt(headers.first("Content-Length").orElse("0"));
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new IOException("ended in the middle of a body");
            }
            return Response.of(status, headers, Body.of(body));
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new IOException("ended in the middle of a line");
                }
                line.append((char) next);
            }
            return line.toString().strip();
        }

        /** E9: the kind follows from how far the attempt had come; no header value is ever part of a message. */
        private TransportFailure failure(Exception broken) {
            Kind kind = Kind.REFUSED;
            if (broken instanceof IllegalArgumentException) {
                kind = Kind.MALFORMED;
            } else if (replyStarted) {
                kind = Kind.TRUNCATED;
            } else if (connected) {
                kind = Kind.RESET;
            }
            return TransportFailure.of(kind, kind + (sent ? " after" : " before") + " the request was sent", broken);
        }
    }
}
