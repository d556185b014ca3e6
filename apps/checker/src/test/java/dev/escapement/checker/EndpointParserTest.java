package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line is an endpoint, nothing, or a complaint that names what is wrong. */
class EndpointParserTest {

    @ParameterizedTest(name = "[{index}] id, method and URL, whatever blanks are between and around them")
    @ValueSource(
            strings = {
                "alpha GET http://host/a",
                "  alpha\tGET \t http://host/a  ",
                "alpha GET http://host/a\t",
            })
    void readsThreeWords(String line) throws WrongUsage {
        Endpoint endpoint = EndpointParser.parse(7, line).orElseThrow();

        assertThat(endpoint.line()).isEqualTo(7);
        assertThat(endpoint.id()).isEqualTo("alpha");
        assertThat(endpoint.request().method()).isSameAs(Method.GET);
        assertThat(endpoint.request().uri()).hasToString("http://host/a");
        assertThat(endpoint.request().headers().count()).isZero();
        assertThat(endpoint.request().body().length()).isZero();
    }

    @ParameterizedTest(name = "[{index}] every known method")
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH"})
    void knowsEveryMethod(String method) throws WrongUsage {
        assertThat(EndpointParser.parse(1, "a " + method + " http://host")
                        .orElseThrow()
                        .request()
                        .method()
                        .name())
                .isEqualTo(method);
    }

    @ParameterizedTest(name = "[{index}] an id may be any word one can see")
    @ValueSource(strings = {"a", "a/b:c", "größe", "日本", "🙂", "a#b"})
    void takesVisibleIds(String id) throws WrongUsage {
        assertThat(EndpointParser.parse(1, id + " GET http://host")
                        .orElseThrow()
                        .id())
                .isEqualTo(id);
    }

    @ParameterizedTest(name = "[{index}] empty lines and comments are passed over")
    @ValueSource(strings = {"", " ", "\t", "# alpha GET http://host", "  #", "#"})
    void passesOverLinesWithoutEndpoint(String line) throws WrongUsage {
        assertThat(EndpointParser.parse(1, line)).isEmpty();
    }

    @ParameterizedTest(name = "{0} is refused: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "alpha                     | expected \"id METHOD url\", found 1 word",
                "alpha GET                 | expected \"id METHOD url\", found 2 words",
                "alpha GET http://h/ x     | expected \"id METHOD url\", found 4 words",
                "alpha FETCH http://h/     | method \"FETCH\": expected GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST or PATCH",
                "alpha get http://h/       | method \"get\": expected GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST or PATCH",
                "alpha CONNECT http://h/   | method \"CONNECT\": expected GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST or PATCH",
                "alpha GET host/path       | URI \"host/path\": expected scheme http or https",
                "alpha GET ftp://host/     | URI \"ftp://host/\": expected scheme http or https",
                "alpha GET http://host:0/  | URI \"http://host:0/\": expected a port of 1 to 65535",
                "alpha GET http://[/       | URI \"http://[/\": expected RFC 3986 syntax",
                "alpha GET http://u:p@h/   | URI of host h: user info is not sent and must be absent"
            })
    void namesWhatIsWrong(String line, String complaint) {
        assertThatThrownBy(() -> EndpointParser.parse(1, line))
                .isInstanceOf(WrongUsage.class)
                .hasMessage(complaint);
    }

    @ParameterizedTest(name = "[{index}] an id that a terminal would act on is refused, and shown escaped")
    @ValueSource(
            strings = {
                "a\u001b[31m",
                "a\u0007",
                "a\u007f",
                "a\u0085b",
                "a\u009bb",
                "a\u00a0b",
                "a\u200bb",
                "a\u202eb",
                "a\u2028b",
                "a\ufeffb",
                "a\ue000",
                "a\rb",
                "a\u0000"
            })
    void refusesIdsThatAreNotVisible(String id) {
        assertThatThrownBy(() -> EndpointParser.parse(1, id + " GET http://host"))
                .isInstanceOf(WrongUsage.class)
                .hasMessageStartingWith("id \"a\\u")
                .hasMessageEndingWith(": expected visible characters only")
                .satisfies(refusal -> assertThat(refusal.getMessage()).matches("\\p{Print}+"));
    }
}
