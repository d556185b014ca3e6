package dev.escapement.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Function;

/** An upstream that answers each request by its target and keeps nothing of it: for more requests than anybody wants to remember. */
final class ForgetfulServer implements AutoCloseable {

    private static final String HEAD_END = "\r\n\r\n";
    private static final String CHUNKS_END = "\r\n0\r\n\r\n";

    private final ServerSocket listening;
    private final Function<String, String> answers;

    private ForgetfulServer(ServerSocket listening, Function<String, String> answers) {
        this.listening = listening;
        this.answers = answers;
    }

    /**
     * Starts one.
     *
     * @param answers the bytes of the answer, by the request's target; one that announces its close is the last
     */
    static ForgetfulServer start(Function<String, String> answers) throws IOException {
        ForgetfulServer server =
                new ForgetfulServer(new ServerSocket(0, 512, InetAddress.getLoopbackAddress()), answers);
        daemon(server::accept);
        return server;
    }

    String uri() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "forgetful server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                daemon(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean open = true;
            while (open) {
                String head = readTo(in, HEAD_END);
                if (head.contains("chunked")) {
                    readTo(in, CHUNKS_END);
                }
                String answer = answers.apply(head.split(" ", 3)[1]);
                socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
                open = !answer.contains("Connection: close");
            }
        } catch (IOException gone) {
            // The client has had enough.
        }
    }

    private static String readTo(InputStream in, String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.length() < end.length() || read.indexOf(end, read.length() - end.length()) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection has ended");
            }
            read.append((char) next);
        }
        return read.toString();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
