package dev.escapement.netty.scenes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * An upstream for thousands of connections, on one thread and a selector, that can be killed and comes up again at the same port.
 * {@code GET /17/250} is answered with {@code 17} after 250 ms.
 *
 * <p>All state is the thread's; what others ask for is handed to it.
 */
final class CrowdServer implements AutoCloseable {

    /** An answer that is owed. */
    private record Due(long atNanos, SocketChannel to, String answer) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return Long.compare(atNanos, other.atNanos);
        }
    }

    private final Selector selector;
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private final int port;

    private final Set<SocketChannel> connections = new HashSet<>();
    private final PriorityQueue<Due> owed = new PriorityQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(4096);
    private ServerSocketChannel listener;
    private boolean over;

    CrowdServer() throws IOException {
        selector = Selector.open();
        listener = listen(0);
        port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        thread = new Thread(this::run, "crowd server " + port);
        thread.setDaemon(true);
        thread.start();
    }

    String origin() {
        return "http://127.0.0.1:" + port;
    }

    private ServerSocketChannel listen(int at) throws IOException {
        ServerSocketChannel opened = ServerSocketChannel.open();
        opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 4096);
        opened.configureBlocking(false);
        opened.register(selector, SelectionKey.OP_ACCEPT);
        return opened;
    }

    // Asked for by others.

    /** Closes everything, every connection by a reset or in order. Returns once that is done. */
    void kill(boolean byReset) {
        ask(() -> {
            listener.close();
            for (SocketChannel connection : connections) {
                if (byReset) {
                    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
                connection.close();
            }
            connections.clear();
            owed.clear();
            selector.selectNow(); // Only then is a closed channel's descriptor given back.
        });
    }

    /** Comes up again. */
    void restart() {
        ask(() -> listener = listen(port));
    }

    /** How many connections it has. */
    int connections() {
        int[] count = new int[1];
        ask(() -> count[0] = connections.size());
        return count[0];
    }

    @Override
    public void close() {
        kill(false);
        ask(() -> over = true);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            selector.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Something to do on the thread. */
    private interface Act {
        void run() throws IOException;
    }

    private void ask(Act act) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        asked.add(() -> {
            try {
                act.run();
                done.complete(null);
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        selector.wakeup();
        done.orTimeout(20, TimeUnit.SECONDS).join();
    }

    // The thread.

    private void run() {
        try {
            while (!over) {
                Due next = owed.peek();
                long waitMillis = next == null ? 1_000 : (next.atNanos - System.nanoTime()) / 1_000_000;
                selector.select(this::serve, Math.max(1, waitMillis));
                for (Runnable act = asked.poll(); act != null; act = asked.poll()) {
                    act.run();
                }
                long now = System.nanoTime();
                while (!owed.isEmpty() && owed.peek().atNanos <= now) {
                    answer(owed.remove());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (!key.isValid()) {
                return;
            }
            if (key.isAcceptable()) {
                accept();
            } else {
                read(key);
            }
        } catch (IOException gone) {
            forget(key);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel connection = listener.accept(); connection != null; connection = listener.accept()) {
            connection.configureBlocking(false);
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connection.register(selector, SelectionKey.OP_READ);
            connections.add(connection);
        }
    }

    /** Requests have no bodies, are small, and come one at a time: each is one read. */
    private void read(SelectionKey key) throws IOException {
        SocketChannel connection = (SocketChannel) key.channel();
        buffer.clear();
        if (connection.read(buffer) < 0) {
            forget(key);
            return;
        }
        String[] path = ISO_8859_1.decode(buffer.flip()).toString().split("[/ ]", 5);
        owed.add(new Due(
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(path[3])), connection, path[2]));
    }

    /** An accept that failed leaves the listener as it is. */
    private void forget(SelectionKey key) {
        if (!(key.channel() instanceof SocketChannel connection)) {
            return;
        }
        connections.remove(connection);
        try {
            connection.close();
        } catch (IOException alreadyBroken) {
            // Closing is all that was wanted.
        }
    }

    private void answer(Due due) throws IOException {
        try {
            due.to.write(ISO_8859_1.encode(
                    "HTTP/1.1 200 OK\r\nContent-Length: " + due.answer.length() + "\r\n\r\n" + due.answer));
        } catch (ClosedChannelException gone) {
            // The client did not wait.
        } catch (IOException broken) {
            connections.remove(due.to);
            due.to.close();
        }
    }
}
