package dev.escapement.proof.soak;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A server on a loopback port that does what each request's path asks ({@link Wish}), and that can go away and come back.
 *
 * <p>A thread for each connection. {@link #stop} and {@link #start} belong to one thread; the rest is any thread's.
 */
final class UnrulyServer implements AutoCloseable {

    // Below those that Linux and others hand out.
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 30_000;

    private static final int MOST_HEAD_BYTES = 16 * 1024;
    static final int LARGE_TIMES = 4_000;
    private static final long SLOW_NANOS = 15_000_000;
    private static final long LATE_NANOS = 600_000_000;

    private final ServerSocketFactory sockets;
    private final String scheme;
    private final Arrivals arrivals;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private final int port;

    private volatile @Nullable ServerSocket listener;

    /** Of the thread that starts and stops. */
    private Thread acceptor;

    /** A server that is started; requests that come are noted there. */
    UnrulyServer(String scheme, ServerSocketFactory sockets, Arrivals arrivals) throws IOException {
        this.scheme = scheme;
        this.sockets = sockets;
        this.arrivals = arrivals;
        port = freePort();
        ServerSocket socket = listen();
        listener = socket;
        acceptor = daemon(() -> accept(socket));
    }

    /** A port that stays free while the server is away: none that the system hands out to those who connect. */
    private static int freePort() throws IOException {
        // From anywhere in between: somebody else may soak as well, and be away right now.
        int first = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
        for (int port = first; port < HIGHEST_PORT; port++) {
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                // The next one, then.
            }
        }
        throw new BindException("no port between " + first + " and " + HIGHEST_PORT + " is free");
    }

    /** Where a request with that wish goes, in the name of that call. */
    URI uri(Wish wish, long call) {
        return URI.create(scheme + "://127.0.0.1:" + port + "/" + wish + "/" + call);
    }

    /** How many connections are open. */
    int connections() {
        return open.size();
    }

    /** Listens, on the same port as ever, and fails if somebody else does meanwhile. */
    void start() throws IOException {
        ServerSocket socket = listen();
        listener = socket;
        acceptor = daemon(() -> accept(socket));
    }

    private ServerSocket listen() throws IOException {
        ServerSocket socket = sockets.createServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_024);
        return socket;
    }

    /** Goes away: from here on connecting is refused, and what was connected is closed. */
    void stop() throws IOException {
        ServerSocket socket = listener;
        listener = null;
        if (socket != null) {
            socket.close();
            // The port is free only when nobody accepts on it any more.
            join(acceptor);
        }
        for (Socket connection : open) {
            connection.close();
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "unruly server");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void join(Thread thread) throws InterruptedIOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + thread + " ends");
        }
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Socket connection = socket.accept();
                open.add(connection);
                if (listener != socket) {
                    // Stopped between the two: stop has not seen this one.
                    connection.close();
                }
                daemon(() -> serve(connection));
            }
        } catch (IOException stopped) {
            // The way to end it.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = connection.getOutputStream();
            for (String head = head(in); head != null; head = head(in)) {
                if (!obey(head, connection, in, out)) {
                    break;
                }
            }
        } catch (IOException gone) {
            // The client has closed, or stop has.
        } finally {
            open.remove(connection);
        }
    }

    /** The head of the next request; null at the end. */
    private static @Nullable String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!endsHead(head)) {
            int next = in.read();
            if (next < 0 || head.length() > MOST_HEAD_BYTES) {
                return null;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static boolean endsHead(StringBuilder head) {
        int length = head.length();
        return length >= 4 && head.charAt(length - 1) == '\n' && head.charAt(length - 3) == '\n';
    }

    private static int bodyLength(String head) {
        String lower = head.toLowerCase(Locale.ROOT);
        int field = lower.indexOf("content-length: ");
        return field < 0 ? 0 : Integer.parseInt(head.substring(field + 16, head.indexOf('\r', field)));
    }

    /** Whether the connection goes on. */
    private boolean obey(String head, Socket connection, InputStream in, OutputStream out) throws IOException {
        int wishAt = head.indexOf('/') + 1;
        int callAt = head.indexOf('/', wishAt) + 1;
        Wish wish = Wish.valueOf(head.substring(wishAt, callAt - 1));
        String call = head.substring(callAt, head.indexOf(' ', callAt));
        arrivals.note(Long.parseLong(call));
        int length = bodyLength(head);
        if (wish == Wish.RESET_EARLY) {
            skip(in, length / 2);
            connection.setSoLinger(true, 0);
            return false;
        }
        skip(in, length);
        switch (wish) {
            case OK -> send(out, answer("", call));
            case SLOW -> {
                LockSupport.parkNanos(SLOW_NANOS);
                send(out, answer("", call));
            }
            case LATE -> {
                LockSupport.parkNanos(LATE_NANOS);
                send(out, answer("", call));
            }
            case LARGE -> send(out, answer("", call.repeat(LARGE_TIMES)));
            case CHUNKED ->
                send(
                        out,
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(call.length())
                                + "\r\n" + call + "\r\n0\r\n\r\n");
            case INTERIM -> send(out, "HTTP/1.1 103 Early Hints\r\n\r\n" + answer("", call));
            case CLOSE_ASKED -> send(out, answer("Connection: close\r\n", call));
            case SURPLUS -> send(out, answer("", call) + "HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n");
            case UNSOLICITED_LATER -> {
                send(out, answer("", call));
                send(out, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            }
            case UNAVAILABLE -> send(out, "HTTP/1.1 503 no\r\nContent-Length: 0\r\n\r\n");
            case COME_BACK -> send(out, "HTTP/1.1 503 no\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
            case TRUNCATE -> send(out, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nnot so much");
            case GARBAGE -> send(out, "certainly not HTTP\r\n\r\n");
            case RESET -> connection.setSoLinger(true, 0);
            case HANG -> readToEnd(in);
            case HANG_IN_BODY -> {
                send(out, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nnot so much");
                readToEnd(in);
            }
            case CLOSE, RESET_EARLY -> {}
        }
        return wish.isAnswered() || wish == Wish.UNAVAILABLE || wish == Wish.COME_BACK || wish == Wish.LATE;
    }

    private static String answer(String fields, String body) {
        return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static void skip(InputStream in, int length) throws IOException {
        try {
            in.skipNBytes(length);
        } catch (EOFException early) {
            throw new IOException("the request ended early", early);
        }
    }

    private static void readToEnd(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // Until the client gives up.
        }
    }
}
