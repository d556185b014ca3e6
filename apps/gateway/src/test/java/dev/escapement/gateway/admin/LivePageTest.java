package dev.escapement.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.gateway.record.Metrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The live page in a real browser, whose time runs as fast as the port answers; skipped where there is none. */
@Timeout(60)
class LivePageTest {

    private final GivenView view = new GivenView();
    private final LivelyView lively = new LivelyView(view);
    private final Metrics metrics = new Metrics(lively.clock());

    private final Path target = Path.of("target");

    private AdminServer server;
    private Chromium browser;

    @BeforeEach
    void start() throws Exception {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no chromium is installed");
        view.whenAsked = () -> lively.second(metrics);
        server = AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), view, metrics);
        // Not removed: a browser that was ended may write its last files a moment later.
        Path profile = Files.createTempDirectory(Files.createDirectories(target), "chromium-");
        browser = Chromium.start(program.get(), profile.toAbsolutePath(), 1_240, 900);
    }

    @AfterEach
    void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void open() throws Exception {
        browser.open(URI.create("http://localhost:" + server.address().getPort() + "/"));
    }

    private String text(String selector) throws Exception {
        return String.valueOf(browser.value("document.querySelector(" + quoted(selector) + ")?.innerText ?? 'absent'"));
    }

    private boolean isShown(String selector) throws Exception {
        return (boolean) browser.value("document.querySelector(" + quoted(selector) + ")?.checkVisibility() ?? false");
    }

    private static String quoted(String selector) {
        return "'" + selector + "'";
    }

    private void keep(String name) throws Exception {
        Files.write(target.resolve(name), browser.screenshot());
    }

    @Test
    @DisplayName(
            "Live page: it shows a minute of upstreams, breakers, budgets, latencies and errors, and keeps a picture")
    void showsAMinute() throws Exception {
        open();
        browser.pass(62_000);

        assertThat(text("#stage")).isEqualTo("serving");
        assertThat(text("#figures"))
                .containsPattern("[4-9][0-9]\\.0\\s+requests/s")
                .contains("0a1b2c3d");
        assertThat(text("[data-upstream=orders]"))
                .containsPattern("attempts ÷ calls\\s+1\\.0[0-9]{2}")
                .containsPattern("permits held\\s+11 of 64, 2 wait")
                .containsPattern("retries left\\s+17")
                .containsPattern("10\\.0\\.0\\.2:8080\\s+open")
                .containsPattern("10\\.0\\.0\\.3:8080\\s+half open")
                .containsPattern("total\\s+[0-9.]+ ms\\s+[0-9.]+ ms")
                .containsPattern("reset\\s*[0-9]+")
                .containsPattern("surplus\\s*4");
        assertThat(text("[data-upstream=search]")).contains("none");
        assertThat(text("#unrouted")).containsPattern("no-route\\s*[56][0-9]");
        assertThat(browser.value("document.querySelector('.spark .line').getAttribute('d').split('L').length"))
                .isEqualTo(60L);
        assertThat(isShown("#stale")).isFalse();
        keep("live-page.png");

        browser.colours("dark");
        keep("live-page-dark.png");
        browser.size(390, 844);
        assertThat(browser.value("document.documentElement.scrollWidth")).isEqualTo(390L);
        keep("live-page-phone.png");
    }

    @Test
    @DisplayName("Live page: when the polls fail it says since when, keeps what it knows, and comes back by itself")
    void saysSinceWhenItIsStale() throws Exception {
        open();
        browser.pass(5_000);
        String before = text("#figures");
        int port = server.address().getPort();

        server.close();
        browser.pass(5_000);
        assertThat(text("#stale")).matches("stale since [0-2][0-9]:[0-5][0-9]:[0-5][0-9]");
        assertThat(isShown("#stale")).isTrue();
        assertThat(browser.value("document.title")).isEqualTo("Gateway · stale");
        assertThat(text("#figures")).isEqualTo(before);
        assertThat(text("[data-upstream=orders]")).contains("10.0.0.1:8080");

        Metrics anew = new Metrics(lively.clock());
        view.whenAsked = () -> lively.second(anew);
        server = AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), view, anew);
        browser.pass(5_000);
        assertThat(isShown("#stale")).isFalse();
        assertThat(text("#figures")).containsPattern("[4-9][0-9]\\.0\\s+requests/s");
    }

    @Test
    @DisplayName("Live page: it shows a stop, a refused configuration, and upstreams that come and go")
    void showsWhatChanges() throws Exception {
        open();
        browser.pass(3_000);
        assertThat(isShown("#draining")).isFalse();
        assertThat(isShown("#fault")).isFalse();

        view.stage = AdminView.Stage.DRAINING;
        view.config = GivenView.config(Optional.of(new ConfigView.Failure(
                Instant.parse("2026-01-02T03:04:05Z"), List.of("gateway.yaml:14:17: <img src=x onerror=alert(1)>"))));
        view.whenAsked = () -> {};
        view.upstreams = List.of(GivenView.upstream("fresh<b>"));
        browser.pass(3_000);

        assertThat(text("#stage")).isEqualTo("draining");
        assertThat(isShown("#draining")).isTrue();
        assertThat(text("#fault")).contains("gateway.yaml:14:17: <img src=x onerror=alert(1)>");
        assertThat(browser.value("document.querySelectorAll('img').length")).isEqualTo(0L);
        assertThat(text("#upstreams h2")).isEqualTo("fresh<b>");
        assertThat(browser.value("document.querySelectorAll('.card[data-upstream]').length"))
                .isEqualTo(1L);
    }
}
