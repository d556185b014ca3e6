package dev.escapement.gateway.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers lines and writes them to the file of the moment. Owned by one thread.
 *
 * <p>What the file does not take is lost and counted, not kept: the next lines may find room again. Trouble is complained of when it begins,
 * and when it is over.
 */
final class LogWriter {

    /** How much is gathered before it is written, where lines come without a pause. */
    private static final int BUFFER_BYTES = 64 * 1024;

    private final LongAdder dropped;
    private final Consumer<String> complaints;
    private final Lines lines = new Lines();

    private LogFile file;
    private LineFormat.@Nullable Lines writer;
    private @Nullable LineFormat writersFormat;
    private int gathered;
    private boolean inTrouble;

    LogWriter(LogFile file, LongAdder dropped, Consumer<String> complaints) {
        this.file = file;
        this.dropped = dropped;
        this.complaints = complaints;
    }

    /** Adds the line of a record that has ended. */
    void add(RequestRecord record, LineFormat format) {
        int before = lines.size();
        try {
            writerOf(format).write(record, record.endedNanos);
            added();
        } catch (IOException | RuntimeException e) {
            writer = null;
            lines.cut(before);
            lost(1, "a record could not be told: " + e);
        }
    }

    private LineFormat.Lines writerOf(LineFormat format) {
        LineFormat.Lines known = writer;
        if (known == null || format != writersFormat) {
            known = format.to(lines);
            writer = known;
            writersFormat = format;
        }
        return known;
    }

    /** Adds a line that was made already. */
    void add(byte[] line) {
        lines.write(line, 0, line.length);
        added();
    }

    private void added() {
        gathered++;
        if (lines.size() >= BUFFER_BYTES) {
            flush();
        }
    }

    /** Writes what was gathered. */
    void flush() {
        if (gathered == 0) {
            return;
        }
        int count = gathered;
        ByteBuffer bytes = lines.take();
        gathered = 0;
        try {
            file.write(bytes);
            if (inTrouble) {
                inTrouble = false;
                complaints.accept("access log: lines are written again");
            }
        } catch (IOException e) {
            lost(count, "lines are lost: " + e);
        }
    }

    /** Goes over to another file, or to the same path opened anew; stays with the one it has if that fails. */
    void turnTo(String path) {
        flush();
        try {
            LogFile next = LogFile.open(path);
            close();
            file = next;
        } catch (IOException e) {
            complaints.accept("access log: " + path + " could not be opened, the old file is kept: " + e);
        }
    }

    /** Writes what was gathered and closes the file. */
    void close() {
        flush();
        try {
            file.close();
        } catch (IOException e) {
            complaints.accept("access log: " + e);
        }
    }

    private void lost(int count, String why) {
        dropped.add(count);
        if (!inTrouble) {
            inTrouble = true;
            complaints.accept("access log: " + why);
        }
    }

    /** Bytes that are written without being copied again. */
    private static final class Lines extends ByteArrayOutputStream {

        /** What is in it, which is gone from it by the next write. */
        ByteBuffer take() {
            ByteBuffer all = ByteBuffer.wrap(buf, 0, count);
            count = 0;
            return all;
        }

        void cut(int length) {
            count = length;
        }
    }
}
