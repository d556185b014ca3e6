package dev.escapement.benchmarks;

import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.asynchttpclient.AsyncCompletionHandler;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.HttpResponseBodyPart;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.Response;

/**
 * async-http-client, one loop, a pool as large as the load: the client on Netty that costs least of those that have a pool. Its timeouts are off.
 */
final class PeerClient implements AutoCloseable {

    private final AsyncHttpClient client;
    private final String uri;

    PeerClient(URI uri, int connections) {
        this.uri = uri.toString();
        client = Dsl.asyncHttpClient(new DefaultAsyncHttpClientConfig.Builder()
                .setIoThreadsCount(1)
                .setMaxConnections(connections)
                .setKeepAlive(true)
                .setCompressionEnforced(false)
                .setRequestTimeout(java.time.Duration.ZERO.minusMillis(1))
                .setReadTimeout(java.time.Duration.ZERO.minusMillis(1))
                .setUseInsecureTrustManager(true)
                .setFollowRedirect(false)
                .setMaxRequestRetry(0)
                .build());
    }

    /** So many requests, so many at a time, each answer taken whole or part by part. */
    long run(int requests, int atATime, boolean streamed) throws InterruptedException {
        Run run = new Run(requests, atATime, streamed);
        for (int i = 0; i < atATime; i++) {
            run.next();
        }
        run.done.await();
        Throwable failed = run.failed.get();
        if (failed != null) {
            throw new IllegalStateException("not a measurement", failed);
        }
        return run.bytes;
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One chain of requests for each place; all on the one loop but for its start. */
    private final class Run {

        private final boolean streamed;
        private final int atATime;
        private final CountDownLatch done;
        private final AtomicReference<Throwable> failed = new AtomicReference<>();
        private final java.util.concurrent.atomic.AtomicInteger left;
        private long bytes;

        Run(int requests, int atATime, boolean streamed) {
            this.streamed = streamed;
            this.atATime = atATime;
            left = new java.util.concurrent.atomic.AtomicInteger(requests - atATime);
            done = new CountDownLatch(atATime);
        }

        void next() {
            client.prepareGet(uri).execute(streamed ? new Parts(this) : new Whole(this));
        }

        void answered(long length) {
            bytes += length;
            if (left.getAndDecrement() > 0) {
                next();
            } else {
                done.countDown();
            }
        }

        void failed(Throwable cause) {
            failed.compareAndSet(null, cause);
            for (int i = 0; i < atATime; i++) {
                done.countDown();
            }
        }
    }

    private static final class Whole extends AsyncCompletionHandler<Void> {

        private final Run run;

        Whole(Run run) {
            this.run = run;
        }

        @Override
        public Void onCompleted(Response response) {
            run.answered(response.getResponseBodyAsBytes().length);
            return null;
        }

        @Override
        public void onThrowable(Throwable cause) {
            run.failed(cause);
        }
    }

    private static final class Parts implements AsyncHandler<Void> {

        private final Run run;
        private long bytes;

        Parts(Run run) {
            this.run = run;
        }

        @Override
        public State onStatusReceived(HttpResponseStatus status) {
            return State.CONTINUE;
        }

        @Override
        public State onHeadersReceived(HttpHeaders headers) {
            return State.CONTINUE;
        }

        @Override
        public State onBodyPartReceived(HttpResponseBodyPart part) {
            bytes += part.length();
            return State.CONTINUE;
        }

        @Override
        public Void onCompleted() {
            run.answered(bytes);
            return null;
        }

        @Override
        public void onThrowable(Throwable cause) {
            run.failed(cause);
        }
    }
}
