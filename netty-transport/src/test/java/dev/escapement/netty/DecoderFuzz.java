package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Headers;
import dev.escapement.netty.ResponseDecoder.Event;
import dev.escapement.netty.scenes.Mutator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What must hold of the decoder for any bytes whatever: read whole, byte by byte, or in pieces of any length, they are the same response or
 * the same fault; nothing is thrown; and no more than the bounds allow is read without an end.
 *
 * <p>Jazzer calls {@link #fuzzerTestOneInput}, and learns from the branches that an input takes; {@link DecoderFuzzTest} calls it with what
 * a {@link Mutator} makes. In both the first byte says whether a HEAD is answered and where the pieces are cut.
 */
public final class DecoderFuzz {

    private static final int MAX_HEAD_BYTES = 1024;
    private static final int MAX_BODY_BYTES = 4096;
    private static final int MAX_INTERIM = 3;

    /** Interim answers, the head, trailers, each of their own; lines of sizes, of which the data pay for all but the extensions. */
    private static final int MAX_FRAMING_BYTES = 3 * MAX_HEAD_BYTES
            + ChunkedFraming.EXTENSION_ALLOWANCE_BYTES
            + ChunkedFraming.MAX_EXTENSION_BYTES
            + MAX_BODY_BYTES * 24;

    private DecoderFuzz() {}

    /** Writes the bytes of all scenes into a folder {@code seeds}, for Jazzer to begin with, beside one for what it finds worth keeping. */
    public static void main(String[] args) throws IOException {
        Files.createDirectories(Path.of(args[0], "corpus"));
        Path folder = Files.createDirectories(Path.of(args[0], "seeds"));
        List<byte[]> seeds = Mutator.seeds();
        for (int i = 0; i < seeds.size(); i++) {
            byte[] seed = new byte[seeds.get(i).length + 1];
            System.arraycopy(seeds.get(i), 0, seed, 1, seed.length - 1);
            Files.write(folder.resolve("scene-" + i), seed);
        }
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        boolean answersHead = input[0] < 0;
        String whole = new Reading(answersHead).read(input, input.length);
        same(whole, new Reading(answersHead).read(input, 1));
        same(whole, new Reading(answersHead).read(input, -input[0]));
    }

    private static void same(String whole, String inPieces) {
        if (!whole.equals(inPieces)) {
            throw new AssertionError("whole: " + whole + "\nin pieces: " + inPieces);
        }
    }

    /** One response as one decoder reads it. */
    private static final class Reading {

        private final ResponseDecoder decoder = new ResponseDecoder(MAX_HEAD_BYTES, MAX_INTERIM);
        private final StringBuilder heads = new StringBuilder();
        private final StringBuilder body = new StringBuilder();
        private String end = "";
        private int consumed;

        Reading(boolean answersHead) {
            decoder.begin(answersHead, MAX_BODY_BYTES);
        }

        /** @param pieces their length, or, where that is not positive, the seed of their lengths */
        String read(byte[] input, int pieces) {
            SplittableRandom random = new SplittableRandom(pieces);
            for (int at = 1; at < input.length && end.isEmpty(); ) {
                int length = Math.min(pieces > 0 ? pieces : 1 + random.nextInt(40), input.length - at);
                readPiece(Unpooled.wrappedBuffer(input, at, length));
                at += length;
            }
            if (end.isEmpty()) {
                end = decoder.end(false) == Event.END
                        ? "over before its end"
                        : decoder.end(true) == Event.END ? "until the end" : "short";
            }
            // Where the bound of bodies is overrun, how much was told before depends on where it was cut.
            return heads + (end.equals("TOO_LARGE") ? "" : body.toString()) + end;
        }

        private void readPiece(ByteBuf in) {
            int before = in.readableBytes();
            Event event = decoder.next(in);
            while (event != Event.MORE && end.isEmpty()) {
                take(event, in);
                event = end.isEmpty() ? decoder.next(in) : event;
            }
            consumed += before - in.readableBytes();
            if (end.isEmpty() && in.isReadable()) {
                throw new AssertionError("wants more, and leaves " + in.readableBytes() + " bytes");
            }
            if (consumed > MAX_FRAMING_BYTES || body.length() > MAX_BODY_BYTES) {
                throw new AssertionError("no end after " + consumed + " bytes");
            }
        }

        private void take(Event event, ByteBuf in) {
            switch (event) {
                case INTERIM -> heads.append(decoder.interim().status).append(' ');
                case HEAD ->
                    heads.append(decoder.head().status)
                            .append(text(decoder.head().headers))
                            .append(decoder.head().keepsConnection());
                case DATA -> {
                    if (decoder.dataBytes() < 1 || decoder.dataBytes() > in.readableBytes()) {
                        throw new AssertionError(decoder.dataBytes() + " bytes of data of " + in.readableBytes());
                    }
                    body.append(in.readCharSequence(decoder.dataBytes(), ISO_8859_1));
                }
                case END -> end = "whole " + text(decoder.trailers());
                case MALFORMED, TOO_LARGE, TOO_MANY_INTERIM -> end = event.name();
                case MORE -> throw new AssertionError("no event");
            }
        }

        private static String text(Headers headers) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < headers.count(); i++) {
                text.append(headers.nameAt(i))
                        .append('=')
                        .append(headers.valueAt(i))
                        .append(' ');
            }
            return text.toString();
        }
    }
}
