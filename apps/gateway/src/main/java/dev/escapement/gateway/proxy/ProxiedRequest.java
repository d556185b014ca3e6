package dev.escapement.gateway.proxy;

import dev.escapement.call.Call;
import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.InterimListener;
import dev.escapement.call.Streaming;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.HeaderConfig;
import dev.escapement.gateway.config.RouteConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.gateway.inbound.Responder;
import dev.escapement.gateway.record.Reason;
import dev.escapement.gateway.record.RecordSink;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.gateway.record.RequestRecord.Ender;
import dev.escapement.gateway.record.RequestRecord.Phase;
import dev.escapement.gateway.upstream.Upstream;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.MonotonicClock;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request from its head to its end.
 *
 * <pre>
 *            small body whole            report: an answer            body passed, or cut
 *   READING ──────────────────▶ CALLING ───────────────────▶ ANSWERING ──────────────────▶ ENDED
 *      │                           │                                                          ▲
 *      └───── an answer of our own, or nobody there to take one ──────────────────────────────┘
 * </pre>
 *
 * What comes from outside (the client goes, its body is refused, the grace of a stop ends) cancels the call where one runs, and is
 * acted upon when its report is there: so the call's end and the request's are one. Confined to the loop of the client's connection.
 */
final class ProxiedRequest implements Responder.Listener, InterimListener, AnswerBody.Listener {

    private enum State {
        READING,
        CALLING,
        ANSWERING,
        ENDED
    }

    /** How often a request that goes on is told of. */
    private static final long REMINDER_SECONDS = 60;

    private static final System.Logger LOGGER = System.getLogger(ProxiedRequest.class.getName());

    private final Routing routing;
    private final GatewayConfig config;
    private final InboundRequest in;
    private final Responder responder;
    private final RecordSink sink;
    private final MonotonicClock clock;
    private final RequestRecord record;
    private final EventLoop loop;

    private State state = State.READING;
    private @Nullable RouteConfig route;
    private @Nullable Upstream upstream;
    private @Nullable Call call;
    private @Nullable AnswerBody answer;

    /** Asked for its trailers once it has passed. */
    private @Nullable Body passing;

    /** Ends the reading of a small body at the call's deadline; tells of a long answer. */
    private @Nullable Future<?> timer;

    /** Whether the client has been told to send its body. */
    private boolean continued;

    // What has come from outside while the call ran.
    private Responder.@Nullable Gone gone;
    private @Nullable Refusal refusal;
    private boolean graceIsOver;

    ProxiedRequest(Routing routing, InboundRequest in, Responder responder, RecordSink sink, MonotonicClock clock) {
        this.routing = routing;
        this.config = routing.config();
        this.in = in;
        this.responder = responder;
        this.sink = sink;
        this.clock = clock;
        this.loop = in.connection().loop();
        this.record = new RequestRecord(in, config.version());
    }

    // The way of a request.

    void start() {
        guarded(this::screened);
    }

    private void screened() {
        begin();
        Screening.Result screened = Screening.of(in, config);
        if (screened == Screening.Result.OWN_OPTIONS) {
            answerOptions();
        } else if (screened.reason() != null) {
            answerOurselves(screened.reason(), null);
        } else {
            routed();
        }
    }

    /** What came is no request, or came too slowly: it is answered and goes no further. */
    void refuse(Refusal why) {
        guarded(() -> {
            begin();
            answerRefusal(why);
        });
    }

    /** What throws is a bug of ours: the request ends by it, told and counted, and nothing else does. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error bug) {
            LOGGER.log(System.Logger.Level.ERROR, "request " + record.requestId.orElse("-") + " ended by a bug", bug);
            broke();
        }
    }

    private void broke() {
        Call running = call;
        call = null;
        if (state == State.ENDED) {
            return;
        }
        if (running != null) {
            running.cancel();
        }
        AnswerBody passed = answer;
        if (passed != null) {
            passed.cancel();
        }
        Ending.tell(record, Reason.BUG);
        // Whatever was to be sent may be half written: the client sees its connection cut.
        responder.cut();
        state = State.ENDED;
        stopTimer();
        record.endedNanos = clock.nanos();
        sink.ended(record);
    }

    private void begin() {
        responder.listen(this);
        record.arrivedMillis = in.arrivedMillis();
        record.firstByteNanos = in.firstByteNanos();
        record.headNanos = in.headNanos();
        ClientAddress client =
                ClientAddress.of(in.connection().peer().getAddress(), in.headers(), config.trustedProxies());
        record.client = client.text();
        record.clientSource = client.forwarded() ? "x-forwarded-for" : "peer";
        record.requestId = Optional.of(RequestId.of(in.headers().first(RequestId.FIELD)));
        record.traceId = TraceId.of(in.headers());
        sink.began(record);
    }

    private void routed() {
        Optional<RouteConfig> found = routing.table().match(in.host(), in.method(), in.path(), in.headers());
        if (found.isEmpty()) {
            answerOurselves(Reason.NO_ROUTE, null);
            return;
        }
        RouteConfig taken = found.get();
        Upstream to = routing.upstream(taken.upstream());
        route = taken;
        upstream = to;
        record.route = Optional.of(taken.name());
        record.upstream = Optional.of(taken.upstream());
        long limit = taken.maxBodyBytes().orElse(config.inbound().maxBodyBytes());
        if (in.contentLength() > limit) {
            answerRefusal(Refusal.BODY_TOO_LARGE);
            return;
        }
        record.deadlineNanos = Outgoing.deadlineNanos(in, taken, to);
        long length = in.contentLength();
        if (length == 0) {
            call(Body.empty());
        } else if (length > 0 && length <= config.inbound().replayBodyBytes() && !in.expectsContinue()) {
            timer = loop.schedule(
                    () -> answerRefusal(Refusal.BODY_IDLE),
                    Math.max(0, record.deadlineNanos - clock.nanos()),
                    TimeUnit.NANOSECONDS);
            in.body().subscribe(new WholeBody((int) length, bytes -> call(Body.of(bytes))));
        } else {
            in.body().limit(limit);
            call(Outgoing.streamed(in, this::sayContinue));
        }
    }

    private void call(Body body) {
        if (state != State.READING) {
            return;
        }
        stopTimer();
        RouteConfig taken = Objects.requireNonNull(route);
        Upstream to = Objects.requireNonNull(upstream);
        record.callNanos = clock.nanos();
        Outgoing outgoing;
        try {
            outgoing = Outgoing.of(config, taken, to, in, record, body);
        } catch (IllegalArgumentException e) {
            // Whatever the rules here let through that a request cannot be built of.
            answerRefusal(Refusal.TARGET);
            return;
        }
        state = State.CALLING;
        Call running = callBy(to.client(), outgoing, outgoing.options().withStreaming(streaming(taken)));
        if (state == State.CALLING) {
            call = running;
            if (gone != null || refusal != null || graceIsOver) {
                running.cancel();
            }
        }
    }

    /** By its route's policy; where a newer configuration has taken that out meanwhile, by the upstream's own. */
    private Call callBy(Client client, Outgoing outgoing, CallOptions options) {
        if (outgoing.operationClass().isEmpty()) {
            return client.call(outgoing.request(), options, this::ended);
        }
        try {
            CallOptions ofClass =
                    options.withOperationClass(outgoing.operationClass().get());
            return client.call(outgoing.request(), ofClass, this::ended);
        } catch (IllegalArgumentException unknownByNow) {
            return client.call(outgoing.request(), options, this::ended);
        }
    }

    private Streaming streaming(RouteConfig taken) {
        Streaming streaming =
                (taken.streams() ? Streaming.toHead() : Streaming.toEnd()).withIdleTimeout(taken.bodyIdleTimeout());
        return in.minorVersion() == 0 ? streaming : streaming.withInterim(this);
    }

    private void ended(Report report) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> ended(report));
            return;
        }
        guarded(() -> judge(report));
    }

    private void judge(Report report) {
        call = null;
        if (state == State.ENDED) {
            report.release();
            return;
        }
        record.report(report);
        Verdict verdict = Verdict.of(report);
        Response response = verdict.response();
        if (gone == null && refusal == null && !graceIsOver && response != null) {
            pass(response, report);
            return;
        }
        report.release();
        if (gone != null) {
            lost();
        } else if (refusal != null) {
            answerRefusal(refusal);
        } else {
            answerOurselves(
                    graceIsOver ? Reason.SHUTTING_DOWN : verdict.reason().orElse(Reason.BUG), null);
        }
    }

    // Answers.

    private void pass(Response response, Report report) {
        state = State.ANSWERING;
        int status = response.status();
        boolean bodiless = in.method().equals("HEAD") || status == 204 || status == 304;
        Body body = response.body();
        // Of one that is here whole the trailers are too; what was in chunks has its length told otherwise.
        Headers trailers = bodiless || body.isStreamed() ? Headers.empty() : trailers(body);
        long length = bodiless
                ? Outgoing.toldLength(response.headers())
                : trailers.count() > 0 ? Body.UNKNOWN_LENGTH : body.length();
        Optional<String> proxyStatus = refusedRetry(response, report);
        String id = record.requestId.orElseThrow();
        Headers fields = proxyStatus.isPresent()
                ? ResponseFields.passed(
                        response.headers(), RequestId.FIELD, id, ResponseFields.PROXY_STATUS, proxyStatus.get())
                : ResponseFields.passed(response.headers(), RequestId.FIELD, id);
        head(status, fields, Math.max(length, bodiless ? 0 : length), !bodiless || length >= 0);
        if (bodiless || length == 0) {
            response.release();
            end(Headers.empty());
        } else if (!body.isStreamed()) {
            responder.data(Unpooled.wrappedBuffer(body.content()));
            end(trailers);
        } else {
            timer = loop.scheduleAtFixedRate(
                    () -> sink.goesOn(record), REMINDER_SECONDS, REMINDER_SECONDS, TimeUnit.SECONDS);
            passing = body;
            answer = new AnswerBody(body, responder, loop, this);
            answer.start();
        }
    }

    /** R7: an answer that would have been asked for again says so. */
    private Optional<String> refusedRetry(Response response, Report report) {
        Optional<Suppressed> suppressed = report.suppressed();
        if (suppressed.isEmpty()
                || suppressed.get() == Suppressed.NOT_RETRYABLE
                || config.headers().proxyStatus() == HeaderConfig.ProxyStatus.OFF) {
            return Optional.empty();
        }
        String why = "retry-" + suppressed.get().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return Optional.of(ProxyStatus.refusedRetry(
                config.name(),
                response.headers(),
                response.status(),
                why,
                record.upstream,
                OwnAnswer.lastEndpoint(record),
                config.headers().proxyStatus()));
    }

    @Override
    public void bodyPassed() {
        guarded(this::endPassed);
    }

    private void endPassed() {
        end(passing == null ? Headers.empty() : trailers(passing));
    }

    /** What of a body's trailers its client wants and may have. */
    private Headers trailers(Body body) {
        return in.takesTrailers() ? HopByHop.trailers(body.trailers()) : Headers.empty();
    }

    @Override
    public void bodyFailed(Throwable failure) {
        Ending.tell(record, Ending.ofBody(failure));
        responder.cut();
        finish();
    }

    private void answerRefusal(Refusal why) {
        record.refusal = Optional.of(why);
        responder.closeAfter();
        Reason reason = switch (why) {
            case HEAD_TIMEOUT, BODY_IDLE -> Reason.TOO_SLOW;
            case PATH, HOST -> Reason.DENIED;
            default -> Reason.REFUSED;
        };
        answerOurselves(reason, why);
    }

    private void answerOurselves(Reason reason, @Nullable Refusal rule) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ANSWERING;
        Ending.tell(record, reason);
        OwnAnswer own = OwnAnswer.of(config, record, reason, rule, upstream, clock.nanos());
        head(own.status(), own.headers(), own.body().readableBytes(), true);
        if (!in.method().equals("HEAD")) {
            responder.data(own.body());
        }
        end(Headers.empty());
    }

    /** {@code OPTIONS *}, or one that has come to its last forward (RFC 9110 §9.3.7, §7.6.2). */
    private void answerOptions() {
        state = State.ANSWERING;
        head(204, Headers.of(RequestId.FIELD, record.requestId.orElseThrow()), 0, false);
        end(Headers.empty());
    }

    private void head(int status, Headers fields, long length, boolean tellsLength) {
        record.status = status;
        record.answeredNanos = clock.nanos();
        record.draining = responder.isDraining();
        responder.head(status, fields, length, tellsLength);
    }

    private void end(Headers fields) {
        responder.end(fields);
        finish();
    }

    private void finish() {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        stopTimer();
        record.endedNanos = clock.nanos();
        record.bytesIn = responder.bodyBytesIn();
        record.bytesOut = responder.bytesOut();
        sink.ended(record);
    }

    private void stopTimer() {
        Future<?> running = timer;
        if (running != null) {
            timer = null;
            running.cancel(false);
        }
    }

    // From outside.

    @Override
    public void interim(int status, Headers headers) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> interim(status, headers));
        } else if (state == State.CALLING && status == 100) {
            sayContinue();
        } else if (state == State.CALLING) {
            responder.interim(status, ResponseFields.passed(headers));
        }
    }

    /** The upstream's 100, or ours where it said nothing for too long: one in all, to a client that waits for it. */
    private void sayContinue() {
        if (in.expectsContinue() && !continued && state == State.CALLING) {
            continued = true;
            responder.interim(100, Headers.empty());
        }
    }

    @Override
    public void writable() {
        AnswerBody running = answer;
        if (running != null && state == State.ANSWERING) {
            running.writable();
        }
    }

    @Override
    public void bodyRefused(Refusal why) {
        record.refusal = Optional.of(why);
        refusal = why;
        interrupted(() -> answerRefusal(why));
    }

    @Override
    public void graceOver() {
        graceIsOver = true;
        interrupted(() -> answerOurselves(Reason.SHUTTING_DOWN, null));
    }

    @Override
    public void gone(Responder.Gone why) {
        gone = why;
        AnswerBody running = answer;
        if (state == State.ANSWERING && running != null) {
            running.cancel();
        }
        interrupted(this::lost);
        if (state == State.ANSWERING) {
            lost();
        }
    }

    /** A call is cancelled, and its report goes on from there; without one this goes on at once. */
    private void interrupted(Runnable goOn) {
        Call running = call;
        if (state == State.READING) {
            goOn.run();
        } else if (state == State.CALLING && running != null) {
            running.cancel();
        }
    }

    /** The client is not there any more: nothing is sent, and the log tells. */
    private void lost() {
        if (state == State.ENDED) {
            return;
        }
        Phase phase = state == State.ANSWERING ? Phase.DATA : state == State.READING ? Phase.REQUEST : Phase.HEAD;
        Ending.tell(
                record,
                gone == Responder.Gone.WRITE_IDLE
                        ? Reason.CUT_SLOW_CLIENT
                        : gone == Responder.Gone.SHUTTING_DOWN ? Reason.CUT_SHUTDOWN : Reason.CLIENT_CLOSED);
        if (record.ender == Ender.CLIENT) {
            record.phase = phase;
        }
        if (record.status == 0) {
            record.status = Reason.CLIENT_CLOSED.status();
        } else {
            record.upstreamStatus = OptionalInt.empty();
        }
        finish();
    }
}
