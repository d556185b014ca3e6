package dev.escapement.gateway.record;

import dev.escapement.gateway.config.AccessLogConfig;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where lines go: a file that is appended to, standard output ({@code -}), or nowhere ({@code off}). Owned by one thread.
 *
 * <p>A line that was cut short by an error, as on a full disk, is ended before the next, so that only itself is spoiled.
 */
final class LogFile implements Closeable {

    private static final byte LINE_END = '\n';

    private final @Nullable WritableByteChannel channel;
    private final boolean ours;

    private boolean midLine;

    private LogFile(@Nullable WritableByteChannel channel, boolean ours) {
        this.channel = channel;
        this.ours = ours;
    }

    /** Opens that place; a file is made if there is none. */
    static LogFile open(String path) throws IOException {
        return switch (path) {
            case AccessLogConfig.NOWHERE -> new LogFile(null, false);
            case AccessLogConfig.STANDARD_OUTPUT ->
                new LogFile(new FileOutputStream(FileDescriptor.out).getChannel(), false);
            default ->
                new LogFile(
                        FileChannel.open(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.APPEND), true);
        };
    }

    /** Writes all these bytes, which are whole lines. */
    void write(ByteBuffer lines) throws IOException {
        if (channel == null) {
            return;
        }
        if (midLine) {
            writeFully(ByteBuffer.wrap(new byte[] {LINE_END}));
        }
        writeFully(lines);
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        WritableByteChannel to = Objects.requireNonNull(channel);
        while (bytes.hasRemaining()) {
            if (to.write(bytes) > 0) {
                midLine = bytes.get(bytes.position() - 1) != LINE_END;
            }
        }
    }

    /** Standard output stays open: it is the process's. */
    @Override
    public void close() throws IOException {
        if (ours && channel != null) {
            channel.close();
        }
    }
}
