package dev.escapement.checker;

import dev.escapement.call.Client;
import dev.escapement.metadata.Metadata;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.SettingsException;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyException;
import dev.escapement.policy.UpstreamSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command line: what is asked for, checked whole before anything is sent, then run.
 *
 * <p>Whatever is wrong with options or input is a {@link WrongUsage}; what is wrong with several options is told at once
 * ({@link Complaints}).
 */
@Command(
        name = CheckerCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpWidth = 100,
        customSynopsis = CheckerCommand.NAME + " [options] [FILE]",
        description = "Asks every endpoint of a list once, and again where that is safe and worth it.",
        optionListHeading = "%n",
        parameterListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every endpoint was answered below 400; with --demo: the script was met",
            "1:some were not, or the output could not be written",
            "2:wrong usage; nothing was sent",
        },
        footerHeading = "%nInput:%n",
        footer = {
            "  One endpoint a line: id METHOD url, with blanks or tabs between them, in UTF-8,",
            "  8192 bytes at most. Empty lines and lines that start with # are passed over.",
            "  An id is visible characters without blanks; several endpoints may share one.",
            "  Requests have no body.",
            "",
            "Output:",
            "  One line an endpoint in input order, and a summary. Delays are milliseconds,",
            "  rounded down. Ctrl-C takes no more endpoints, gives running ones 2s, and",
            "  prints what is done.",
            "",
            "  With --summary, lines on all calls follow, or one JSON object. Attempt times are those",
            "  of attempts that were answered, or waited for through the whole attempt timeout. The",
            "  suggested attempt timeout is their 99th percentile and a quarter of it, rounded up to",
            "  two digits, from 20 answered attempts on. Where more than one in a hundred timed out it",
            "  is thus longer than the present one, and worth another run.",
            "",
            "  What a policy may not have meant is told on standard error, and sent all the same.",
            "",
            "A TIME is like 250ms, 1.5s, 2m or PT0.25S (units: ns us ms s m h).",
        })
final class CheckerCommand implements Callable<Integer> {

    static final String NAME = "escapement-checker";

    private static final int ANSWERED = 0;
    private static final int NOT_ANSWERED = 1;
    private static final Duration GRACE = Duration.ofSeconds(2);

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The list of endpoints; standard input for - or none.")
    private @Nullable String file;

    @Option(
            names = "--demo",
            description = "Check an embedded server on loopback that misbehaves by script, instead of a list.")
    private boolean demo;

    @Option(names = "--json", description = "Write one JSON object a line, with everything a report holds.")
    private boolean json;

    @Option(
            names = "--summary",
            description = "Write at the end what all calls come to: attempts, outcomes, timeouts by progress, times.")
    private boolean summary;

    @ArgGroup(validate = false, heading = "%nClient:%n")
    private ClientOptions clientOptions = new ClientOptions();

    @ArgGroup(validate = false, heading = "%nMetadata:%n")
    private MetadataOptions metadataOptions = new MetadataOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException, WrongUsage {
        Complaints complaints = new Complaints();
        if (demo && file != null) {
            complaints.addExcluded("--demo", "FILE");
        }
        UpstreamSettings upstream = upstream(complaints);
        Metadata metadata = metadataOptions.metadata(complaints);
        clientOptions.check(complaints);
        try (NettyTransport transport = transport(upstream.policy(), complaints)) {
            Client client = client(upstream, metadata, transport, complaints);
            complaints.throwIfAny();
            Caller caller = new Caller(client, upstream.policy(), metadataOptions::callOptions);
            return demo ? checkDemo(caller) : checkList(caller);
        }
    }

    /** What policy and breakers are asked for. */
    UpstreamSettings upstream(Complaints complaints) {
        String detail = json || summary ? "full" : "basic";
        return UpstreamOptions.read(spec.commandLine().getParseResult(), defaults(), detail, complaints);
    }

    private Defaults defaults() {
        return demo ? Defaults.DEMO : Defaults.LIST;
    }

    private NettyTransport transport(Policy policy, Complaints complaints) throws WrongUsage {
        try {
            return clientOptions.transport(policy, defaults());
        } catch (SettingsException refusal) {
            complaints.add(refusal);
            throw complaints.wrongUsage();
        }
    }

    private Client client(UpstreamSettings upstream, Metadata metadata, NettyTransport transport, Complaints complaints)
            throws WrongUsage {
        try {
            return clientOptions.client(upstream, metadata, transport, defaults());
        } catch (PolicyException refusal) {
            complaints.add(refusal);
            throw complaints.wrongUsage();
        }
    }

    private int checkList(Caller caller) throws IOException, InterruptedException, WrongUsage {
        try (EndpointList list = readList()) {
            return check(caller, list).allAnswered() ? ANSWERED : NOT_ANSWERED;
        }
    }

    private int checkDemo(Caller caller) throws IOException, InterruptedException, WrongUsage {
        try (DemoServer server = DemoServer.start();
                EndpointList list = EndpointList.read("demo", server.list())) {
            return check(caller, list).allWritten() && server.scriptWasMet() ? ANSWERED : NOT_ANSWERED;
        }
    }

    private Checked check(Caller caller, EndpointList list) throws IOException, InterruptedException {
        Program program = new Program(
                caller,
                json ? new JsonFormat() : new TextFormat(),
                summary ? Extent.WITH_FIGURES : Extent.REPORTS,
                new FileOutputStream(FileDescriptor.out),
                System.err,
                GRACE);
        return program.run(
                list, clientOptions.window(defaults()), clientOptions.concurrency(defaults()), clientOptions.seed());
    }

    private EndpointList readList() throws WrongUsage {
        boolean standardInput = file == null || file.equals("-");
        String name = standardInput ? "standard input" : Printable.line(String.valueOf(file));
        try (InputStream in = standardInput ? System.in : Files.newInputStream(Path.of(String.valueOf(file)))) {
            return EndpointList.read(name, in);
        } catch (NoSuchFileException e) {
            throw new WrongUsage(name + ": no such file");
        } catch (AccessDeniedException e) {
            throw new WrongUsage(name + ": access denied");
        } catch (IOException e) {
            throw new WrongUsage(name + ": cannot be read or copied: " + e.getMessage());
        }
    }
}
