package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The Technology Compatibility Kit of Reactive Streams, which is written for another test framework, as tests of this one. */
@ExtendWith(LeakWatch.class)
class ReactiveStreamsTest {

    @ParameterizedTest
    @DisplayName("A8 the kit of Reactive Streams is passed")
    @ValueSource(
            classes = {
                ReactiveStreamsKit.ResponseInBuffers.class,
                ReactiveStreamsKit.ResponseOverSockets.class,
                ReactiveStreamsKit.RequestInBytes.class,
                ReactiveStreamsKit.RequestInBuffers.class,
                ReactiveStreamsKit.BodyInMemory.class,
                ReactiveStreamsKit.BodyOfPublisher.class
            })
    void kit(Class<?> verification) {
        TestListenerAdapter results = new TestListenerAdapter();
        TestNG kit = new TestNG(false);
        kit.setVerbose(0);
        kit.addListener(results);
        kit.setTestClasses(new Class<?>[] {verification});
        kit.run();

        List<String> failed = new ArrayList<>();
        for (ITestResult result : results.getFailedTests()) {
            failed.add(result.getName() + ": " + result.getThrowable());
        }
        for (ITestResult result : results.getConfigurationFailures()) {
            failed.add(result.getName() + ": " + result.getThrowable());
        }
        assertThat(failed).isEmpty();
        // What the kit skips is optional, or needs more parts than the publisher can have.
        assertThat(results.getPassedTests().size())
                .as("passed beside %d skipped", results.getSkippedTests().size())
                .isGreaterThanOrEqualTo(10);
    }
}
