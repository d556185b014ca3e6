package dev.escapement.netty;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A quick server that does what the request's path says: answers, or breaks in one way. For many requests. */
final class FaultServer implements AutoCloseable {

    /** What a path can ask for; the first few are answered. */
    enum Behaviour {
        OK,
        CHUNKED,
        INTERIM,
        CLOSE_ASKED,
        SURPLUS,
        UNAVAILABLE,
        RESET,
        CLOSE,
        TRUNCATE,
        GARBAGE,
        UNSOLICITED_LATER,
        HANG;

        boolean isAnswered() {
            return compareTo(UNAVAILABLE) < 0 || this == UNSOLICITED_LATER;
        }
    }

    private static final int MOST_BYTES = 64 * 1024;

    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    FaultServer() throws IOException {
        listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        daemon(() -> {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    sockets.add(socket);
                    daemon(() -> serve(socket));
                }
            } catch (IOException closed) {
                // The way to stop it.
            }
        });
    }

    String uri(Behaviour behaviour) {
        return "http://127.0.0.1:" + listener.getLocalPort() + "/" + behaviour;
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "fault server");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (String head = head(in); head != null; head = head(in)) {
                if (!answer(
                        socket, out, Behaviour.valueOf(head.substring(head.indexOf('/') + 1, head.indexOf(" HTTP"))))) {
                    break;
                }
            }
        } catch (IOException gone) {
            // The client has closed.
        } finally {
            sockets.remove(socket);
        }
    }

    /** The next request, all of which is head and a body of fixed length; null at the end. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0 || head.length() > MOST_BYTES) {
                return null;
            }
            head.append((char) next);
        }
        int length = head.indexOf("Content-Length: ");
        if (length >= 0) {
            in.readNBytes(Integer.parseInt(head.substring(length + 16, head.indexOf("\r\n", length))));
        }
        return head.toString();
    }

    /** Whether the connection goes on. */
    private static boolean answer(Socket socket, OutputStream out, Behaviour behaviour) throws IOException {
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        switch (behaviour) {
            case OK -> send(out, ok);
            case CHUNKED ->
                send(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
            case INTERIM -> send(out, "HTTP/1.1 103 Early Hints\r\n\r\n" + ok);
            case CLOSE_ASKED -> send(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
            case SURPLUS -> send(out, ok + "HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n");
            case UNAVAILABLE -> send(out, "HTTP/1.1 503 no\r\nContent-Length: 0\r\n\r\n");
            case TRUNCATE -> send(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel");
            case GARBAGE -> send(out, "garbage\r\n\r\n");
            case UNSOLICITED_LATER -> {
                send(out, ok);
                send(out, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            }
            case RESET -> socket.setSoLinger(true, 0);
            case CLOSE -> {}
            case HANG -> {
                return true;
            }
        }
        return behaviour.isAnswered() || behaviour == Behaviour.UNAVAILABLE;
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
