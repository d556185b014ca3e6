package dev.escapement.gateway.inbound;

import dev.escapement.gateway.inbound.AnswerWriter.ConnectionSaid;
import dev.escapement.gateway.inbound.AnswerWriter.FramingSaid;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One request's answer on its way to the client: order, framing, and whether the connection goes on afterwards.
 *
 * <pre>
 *   HEADLESS ── head ──▶ BODY ── end ──▶ ENDED
 *      │                  │
 *      ├── cut ───────────┴── cut ─────▶ ENDED, the connection closes
 *      └── the client is lost ─────────▶ LOST: whatever comes is dropped
 * </pre>
 *
 * Confined to its connection's loop.
 */
final class Exchange implements Responder {

    private static final int HTTP_NO_CONTENT = 204;
    private static final int HTTP_NOT_MODIFIED = 304;
    private static final int HTTP_CONTINUE = 100;

    private enum Stage {
        HEADLESS,
        BODY,
        ENDED,
        LOST
    }

    /** How the end of the body is told. */
    private enum Framing {
        NONE,
        LENGTH,
        CHUNKED,
        CLOSE
    }

    private final Conversation conversation;
    private final RequestHead head;
    private final ClientBody body;
    private final long bytesBefore;

    private @Nullable Listener listener;
    private Stage stage = Stage.HEADLESS;
    private Framing framing = Framing.NONE;
    private long bytesLeft;
    private long bytesOut;
    private boolean continued;
    private boolean persists;
    private boolean bodyRefused;

    /**
     * For a request.
     *
     * @param persists whether the connection may go on afterwards, as far as is known now
     */
    Exchange(Conversation conversation, RequestHead head, ClientBody body, boolean persists) {
        this.conversation = conversation;
        this.head = head;
        this.body = body;
        this.persists = persists;
        bytesBefore = conversation.outgoing().bytes();
    }

    ClientBody body() {
        return body;
    }

    /** Whether nothing more will be said. */
    boolean isAnswered() {
        return stage == Stage.ENDED;
    }

    boolean isHeadless() {
        return stage == Stage.HEADLESS;
    }

    /** Whether the connection goes on after it. */
    boolean persists() {
        return persists && !bodyRefused;
    }

    @Override
    public void listen(Listener whom) {
        listener = whom;
    }

    @Override
    public void interim(int status, Headers headers) {
        if (stage == Stage.LOST) {
            return;
        }
        must(stage == Stage.HEADLESS, "an interim answer");
        if (head.minorVersion() > 0) {
            continued |= status == HTTP_CONTINUE;
            ByteBuf out = conversation.outgoing().open();
            int before = out.writerIndex();
            AnswerWriter.interim(out, status, headers);
            wrote(out, before);
        }
    }

    @Override
    public void head(int status, Headers headers, long contentLength, boolean tellsLength) {
        if (stage == Stage.LOST) {
            return;
        }
        must(stage == Stage.HEADLESS, "a head");
        boolean bodiless = head.method().equals("HEAD") || status == HTTP_NO_CONTENT || status == HTTP_NOT_MODIFIED;
        framing = framing(bodiless, contentLength);
        bytesLeft = framing == Framing.LENGTH ? contentLength : 0;
        persists &= framing != Framing.CLOSE && !isRefusingBody() && conversation.mayPersist();
        FramingSaid said = switch (framing) {
            case NONE ->
                tellsLength && contentLength >= 0 && status != HTTP_NO_CONTENT
                        ? FramingSaid.LENGTH
                        : FramingSaid.NOTHING;
            case LENGTH -> FramingSaid.LENGTH;
            case CHUNKED -> FramingSaid.CHUNKED;
            case CLOSE -> FramingSaid.NOTHING;
        };
        ByteBuf out = conversation.outgoing().open();
        int before = out.writerIndex();
        AnswerWriter.head(out, status, headers, connectionSaid(), said, contentLength, conversation.date());
        stage = Stage.BODY;
        wrote(out, before);
    }

    private Framing framing(boolean bodiless, long contentLength) {
        if (bodiless) {
            return Framing.NONE;
        }
        if (contentLength != Body.UNKNOWN_LENGTH) {
            return Framing.LENGTH;
        }
        return head.minorVersion() == 0 ? Framing.CLOSE : Framing.CHUNKED;
    }

    private ConnectionSaid connectionSaid() {
        if (!persists()) {
            return ConnectionSaid.CLOSE;
        }
        return head.minorVersion() == 0 ? ConnectionSaid.KEEP_ALIVE : ConnectionSaid.NOTHING;
    }

    /** Whether the client waits for a leave that this answer denies: then it may or may not send the body (RFC 9110 §10.1.1). */
    private boolean isRefusingBody() {
        return (head.expectsContinue() && !continued && conversation.bodyBytesIn() == 0)
                || (!body.isRead() && conversation.isTooMuchToDrop());
    }

    @Override
    public void data(ByteBuf part) {
        if (stage == Stage.LOST || !part.isReadable()) {
            part.release();
            return;
        }
        int count = part.readableBytes();
        if (stage != Stage.BODY || framing == Framing.NONE || (framing == Framing.LENGTH && count > bytesLeft)) {
            part.release();
            must(false, count + " bytes of data");
        }
        Outgoing out = conversation.outgoing();
        if (framing == Framing.CHUNKED) {
            ByteBuf start = out.open();
            int before = start.writerIndex();
            AnswerWriter.chunkStart(start, count);
            wrote(start, before);
            out.pass(part);
            ByteBuf end = out.open();
            int behind = end.writerIndex();
            AnswerWriter.chunkEnd(end);
            wrote(end, behind);
        } else {
            bytesLeft -= framing == Framing.LENGTH ? count : 0;
            out.pass(part);
            conversation.wrote();
        }
    }

    @Override
    public void end(Headers trailers) {
        if (stage == Stage.LOST) {
            return;
        }
        must(stage == Stage.BODY && bytesLeft == 0, "the end");
        if (framing == Framing.CHUNKED) {
            ByteBuf out = conversation.outgoing().open();
            int before = out.writerIndex();
            AnswerWriter.lastChunk(out, trailers);
            wrote(out, before);
        }
        ended();
        conversation.wrote();
    }

    private void ended() {
        over(Stage.ENDED);
        body.breakOff("the answer has ended");
    }

    private void over(Stage last) {
        stage = last;
        bytesOut = conversation.outgoing().bytes() - bytesBefore;
    }

    @Override
    public void cut() {
        if (stage == Stage.LOST || stage == Stage.ENDED) {
            return;
        }
        boolean endsWithConnection = stage == Stage.BODY && framing == Framing.CLOSE;
        persists = false;
        ended();
        if (endsWithConnection) {
            conversation.reset();
        } else {
            conversation.wrote();
        }
    }

    @Override
    public void closeAfter() {
        persists = false;
    }

    @Override
    public boolean isWritable() {
        return conversation.isWritable();
    }

    @Override
    public long bytesOut() {
        return stage == Stage.HEADLESS || stage == Stage.BODY
                ? conversation.outgoing().bytes() - bytesBefore
                : bytesOut;
    }

    @Override
    public long bodyBytesIn() {
        return conversation.bodyBytesIn();
    }

    @Override
    public boolean isDraining() {
        return conversation.isDraining();
    }

    // What the connection tells.

    void writable() {
        Listener told = listener;
        if (told != null && (stage == Stage.HEADLESS || stage == Stage.BODY)) {
            told.writable();
        }
    }

    /** The body will not come whole. */
    void refuseBody(Refusal why) {
        bodyRefused = true;
        Listener told = listener;
        if (told != null && (stage == Stage.HEADLESS || stage == Stage.BODY)) {
            told.bodyRefused(why);
        }
        body.breakOff("the request's body was refused: " + why.rule());
    }

    void graceOver() {
        Listener told = listener;
        if (told != null && stage == Stage.HEADLESS) {
            told.graceOver();
        }
    }

    /** The client is lost. The handler knows before the body's reader does, whose request fails by it: nobody is answered then. */
    void lose(Gone why, String what) {
        boolean running = stage == Stage.HEADLESS || stage == Stage.BODY;
        persists = false;
        if (running) {
            over(Stage.LOST);
        }
        Listener told = listener;
        if (told != null && running) {
            told.gone(why);
        }
        body.breakOff(what);
    }

    private void wrote(ByteBuf out, int before) {
        conversation.outgoing().wrote(out.writerIndex() - before);
        conversation.wrote();
    }

    private void must(boolean allowed, String what) {
        if (!allowed) {
            throw new IllegalStateException(
                    what + " cannot be sent: " + stage + ", framing " + framing + ", " + bytesLeft + " bytes left");
        }
    }
}
