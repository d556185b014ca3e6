package dev.escapement.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;

/** A client that sees every byte. One thread. */
final class Wire implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;

    Wire(InetSocketAddress address) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    Wire send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return this;
    }

    /** Up to and with that text. */
    String readTo(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.length() < end.length() || read.indexOf(end, read.length() - end.length()) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    String readBytes(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("the connection ended after " + bytes.length + " of " + count + " bytes");
        }
        return new String(bytes, ISO_8859_1);
    }

    /** A head, its empty line included. */
    String head() throws IOException {
        return readTo("\r\n\r\n");
    }

    /** Everything up to the end of the connection; what was read before a reset too. */
    String rest() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            in.transferTo(read);
        } catch (SocketException reset) {
            return read.toString(ISO_8859_1) + "<reset>";
        }
        return read.toString(ISO_8859_1);
    }

    /** Says that nothing more comes. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Goes away as a program does that has crashed. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
