package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A response is final: no interim answer becomes one. */
class ResponseTest {

    @ParameterizedTest(name = "A8 status {0} is no final response")
    @ValueSource(ints = {-1, 0, 99, 100, 103, 199, 1000, Integer.MAX_VALUE})
    void refusesInterimAndImpossibleStatuses(int status) {
        assertThatThrownBy(() -> Response.of(status))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("status " + status + ": expected 200 to 999");
    }

    @ParameterizedTest(name = "R3 status {0} is an answer, registered or not")
    @ValueSource(ints = {200, 204, 304, 401, 499, 599, 600, 999})
    void acceptsEveryFinalStatus(int status) {
        assertThat(Response.of(status).status()).isEqualTo(status);
    }

    @Test
    @DisplayName("R9 releasing a response gives its body back")
    void releasesItsBody() {
        CountedBody body = new CountedBody();

        Response.of(200, Headers.empty(), body).release();

        assertThat(body.released).isEqualTo(1);
    }

    private static final class CountedBody implements Body {

        private int released;

        @Override
        public long length() {
            return 0;
        }

        @Override
        public ByteBuffer content() {
            return ByteBuffer.allocate(0);
        }

        @Override
        public void release() {
            released++;
        }
    }
}
