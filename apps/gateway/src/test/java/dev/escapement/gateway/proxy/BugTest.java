package dev.escapement.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.RouteTable;
import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.gateway.inbound.Responder;
import dev.escapement.gateway.record.Reason;
import dev.escapement.gateway.record.RecordSink;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.http.Headers;
import dev.escapement.time.MonotonicClock;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a request when something of ours throws: it ends, is told of once, and its client is not left waiting. */
class BugTest {

    private final List<String> sent = new ArrayList<>();
    private final List<RequestRecord> ended = new ArrayList<>();
    private boolean throwsAtBegin;
    private boolean throwsAtHead;

    private final RecordSink sink = new RecordSink() {
        @Override
        public void began(RequestRecord record) {
            if (throwsAtBegin) {
                throw new IllegalStateException("a bug in a sink");
            }
        }

        @Override
        public void ended(RequestRecord record) {
            ended.add(record);
        }

        @Override
        public void goesOn(RequestRecord record) {}
    };

    private final Responder responder = new Responder() {
        @Override
        public void listen(Listener listener) {}

        @Override
        public void interim(int status, Headers headers) {}

        @Override
        public void head(int status, Headers headers, long contentLength, boolean tellsLength) {
            if (throwsAtHead) {
                throw new IllegalStateException("a bug in a writer");
            }
            sent.add("head " + status);
        }

        @Override
        public void data(ByteBuf part) {
            part.release();
        }

        @Override
        public void end(Headers trailers) {
            sent.add("end");
        }

        @Override
        public void cut() {
            sent.add("cut");
        }

        @Override
        public void closeAfter() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public long bytesOut() {
            return 0;
        }

        @Override
        public long bodyBytesIn() {
            return 0;
        }

        @Override
        public boolean isDraining() {
            return false;
        }
    };

    private void accept() {
        GatewayConfig config = Received.config();
        Routing routing = new Routing(config, RouteTable.of(List.of()), Map.of());
        new Proxy(() -> routing, sink, MonotonicClock.system()).accept(Received.get(), responder);
    }

    @Test
    @DisplayName("A5 without a bug: one answer, told once")
    void none() {
        accept();

        assertThat(sent).containsExactly("head 404", "end");
        assertThat(ended).hasSize(1);
    }

    @Test
    @DisplayName(
            "A5 what throws before anything was sent, or while it is, cuts the request; the log says whose fault it was")
    void bugs() {
        throwsAtBegin = true;
        accept();
        throwsAtBegin = false;
        throwsAtHead = true;
        accept();

        assertThat(sent).containsExactly("cut", "cut");
        assertThat(ended).hasSize(2).allSatisfy(record -> {
            assertThat(record.reason).contains(Reason.BUG);
            assertThat(record.ender).isEqualTo(RequestRecord.Ender.INTERNAL);
            assertThat(record.endedNanos).isPositive();
        });
    }

    @Test
    @DisplayName("A5 a refusal that meets a bug is cut too")
    void refusals() {
        throwsAtHead = true;
        Routing routing = new Routing(Received.config(), RouteTable.of(List.of()), Map.of());

        new Proxy(() -> routing, sink, MonotonicClock.system()).refused(Received.get(), Refusal.FIELD, responder);

        assertThat(sent).containsExactly("cut");
        assertThat(ended).hasSize(1);
    }
}
