package dev.escapement.checker;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A list of endpoints, each line of it checked before the first is handed out, in memory that does not grow with it.
 *
 * <p>{@link #read} checks the input in a first pass while copying it to a temporary file, and {@link #endpoints} reads the
 * copy: what was checked is what is sent, also where the input was a pipe or changes meanwhile. The file is readable by its owner
 * alone and goes with {@link #close}. Used by one thread at a time.
 */
final class EndpointList implements AutoCloseable {

    private final FileChannel copy;
    private final long count;

    private EndpointList(FileChannel copy, long count) {
        this.copy = copy;
        this.count = count;
    }

    /**
     * Reads an input to its end.
     *
     * @param name what messages call the input
     * @throws WrongUsage {@code name:line: what}, for the first line that is no endpoint
     * @throws IOException if the input cannot be read or the copy not be written
     */
    static EndpointList read(String name, InputStream in) throws IOException, WrongUsage {
        Path file = Files.createTempFile("escapement-checker-", ".list");
        FileChannel copy = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        try {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(copy));
            LineReader lines = new LineReader(new Copying(in, out));
            long count = 0;
            while (next(name, lines) != null) {
                count++;
            }
            out.flush();
            return new EndpointList(copy, count);
        } catch (IOException | WrongUsage | RuntimeException | Error e) {
            copy.close();
            throw e;
        }
    }

    /** The next endpoint, comments and empty lines passed over; null at the end. */
    private static @Nullable Endpoint next(String name, LineReader lines) throws IOException, WrongUsage {
        try {
            for (String line = lines.next(); line != null; line = lines.next()) {
                Optional<Endpoint> endpoint = EndpointParser.parse(lines.number(), line);
                if (endpoint.isPresent()) {
                    return endpoint.get();
                }
            }
            return null;
        } catch (WrongUsage e) {
            throw new WrongUsage(name + ":" + lines.number() + ": " + e.getMessage());
        }
    }

    /** How many endpoints there are. */
    long count() {
        return count;
    }

    /** The endpoints in input order, read as they are asked for; once. A copy that cannot be read is an {@link UncheckedIOException}. */
    Iterator<Endpoint> endpoints() throws IOException {
        copy.position(0);
        return new Copied(new LineReader(Channels.newInputStream(copy)));
    }

    /** Deletes the copy. */
    @Override
    public void close() throws IOException {
        copy.close();
    }

    /** Reads one stream and writes all of it to another. */
    private static final class Copying extends InputStream {

        private final InputStream from;
        private final OutputStream to;

        Copying(InputStream from, OutputStream to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = from.read(bytes, offset, length);
            if (read > 0) {
                to.write(bytes, offset, read);
            }
            return read;
        }
    }

    /** The second pass. */
    private static final class Copied implements Iterator<Endpoint> {

        private final LineReader lines;
        private @Nullable Endpoint ahead;
        private boolean ended;

        Copied(LineReader lines) {
            this.lines = lines;
        }

        @Override
        public boolean hasNext() {
            return peek() != null;
        }

        @Override
        public Endpoint next() {
            Endpoint next = peek();
            if (next == null) {
                throw new NoSuchElementException("the list has ended");
            }
            ahead = null;
            return next;
        }

        private @Nullable Endpoint peek() {
            if (ahead == null && !ended) {
                try {
                    ahead = EndpointList.next("copy", lines);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (WrongUsage e) {
                    throw new UncheckedIOException(new IOException("the copy of the list was changed", e));
                }
                ended = ahead == null;
            }
            return ahead;
        }
    }
}
