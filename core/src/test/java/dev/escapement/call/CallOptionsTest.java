package dev.escapement.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Headers;
import dev.escapement.metadata.MetadataReader;
import dev.escapement.metadata.Preset;
import dev.escapement.metadata.ReceivedMetadata;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallOptionsTest {

    private static ReceivedMetadata received(String... namesAndValues) {
        return MetadataReader.of(Preset.ESCAPEMENT).read(Headers.of(namesAndValues));
    }

    @Test
    @DisplayName("M1 each wish leaves the others as they were, and none is one shared object")
    void wishesAddUp() {
        Object attachment = new Object();

        CallOptions options = CallOptions.none()
                .withOperationId("evt-4821")
                .withRetryOwner("edge")
                .withAttachment(attachment)
                .withIdempotencyKey("req-7")
                .withOperationClass("append")
                .withDeadlineNanos(17);

        assertThat(options.operationId).isEqualTo("evt-4821");
        assertThat(options.retryOwner).isEqualTo("edge");
        assertThat(options.attachment()).containsSame(attachment);
        assertThat(options.idempotencyKey()).contains("req-7");
        assertThat(options.operationClass).isEqualTo("append");
        assertThat(options.deadlineNanos).isEqualTo(17);
        assertThat(CallOptions.none()).isSameAs(CallOptions.none());
        assertThat(CallOptions.none().operationId).isNull();
        assertThat(CallOptions.none().retryOwner).isNull();
    }

    @Test
    @DisplayName("M2 a received deadline can only be the earlier one, and 0 is spent")
    void receivedDeadline() {
        ReceivedMetadata twoMillis = received("Escapement-Remaining-Ms", "2");

        assertThat(CallOptions.none().withReceived(twoMillis, 5).deadlineNanos).isEqualTo(2_000_005);
        assertThat(CallOptions.none().withDeadlineNanos(2_000_004).withReceived(twoMillis, 5).deadlineNanos)
                .isEqualTo(2_000_004);
        assertThat(CallOptions.none().withDeadlineNanos(2_000_006).withReceived(twoMillis, 5).deadlineNanos)
                .isEqualTo(2_000_005);
        assertThat(CallOptions.none().withReceived(received("Escapement-Remaining-Ms", "0"), 5).deadlineNanos)
                .isEqualTo(5);
        assertThat(CallOptions.none().withReceived(twoMillis, Long.MAX_VALUE - 1).deadlineNanos)
                .isEqualTo(Long.MAX_VALUE);
        assertThat(CallOptions.none().withReceived(ReceivedMetadata.NOTHING, 5).deadlineNanos)
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("M2 M3 a received owner owns; so does a received operation id; what was not received stays")
    void receivedNames() {
        ReceivedMetadata named = received("Escapement-Operation", "theirs", "Escapement-Retry-Owner", "outer");
        CallOptions own = CallOptions.none().withOperationId("ours").withRetryOwner("edge");

        assertThat(CallOptions.none().withReceived(named, 5).operationId).isEqualTo("theirs");
        assertThat(CallOptions.none().withReceived(named, 5).retryOwner).isEqualTo("outer");
        assertThat(own.withReceived(named, 5).operationId).isEqualTo("theirs");
        assertThat(own.withReceived(ReceivedMetadata.NOTHING, 5).operationId).isEqualTo("ours");
        assertThat(own.withReceived(named, 5).retryOwner).isEqualTo("outer");
        assertThat(own.withReceived(ReceivedMetadata.NOTHING, 5).retryOwner).isEqualTo("edge");
    }

    @ParameterizedTest
    @DisplayName("M1 what cannot go into a header line is no identifier")
    @ValueSource(strings = {"", "two words", "a\r\nb", "a,b", "\u00fc"})
    void identifiers(String text) {
        assertThatThrownBy(() -> CallOptions.none().withOperationId(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("operation id of " + text.length());
        assertThatThrownBy(() -> CallOptions.none().withRetryOwner(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("owner token of " + text.length());
    }
}
