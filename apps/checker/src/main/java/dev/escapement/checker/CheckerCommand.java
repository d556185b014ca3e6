package dev.escapement.checker;

import dev.escapement.call.Client;
import dev.escapement.netty.NettyTransport;
import dev.escapement.policy.Policy;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command line: what is asked for, checked whole before anything is sent, then run.
 *
 * <p>Whatever is wrong with options or input is a {@link WrongUsage}, or an exception of a builder that {@link Complaint} turns
 * into one line.
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

    @ArgGroup(validate = false, heading = "%nClient:%n")
    private ClientOptions clientOptions = new ClientOptions();

    @ArgGroup(validate = false, heading = "%nPolicy:%n")
    private PolicyOptions policyOptions = new PolicyOptions();

    @Override
    public Integer call() throws IOException, InterruptedException, WrongUsage {
        if (demo && file != null) {
            throw new WrongUsage("--demo and FILE: expected one of them at most");
        }
        Preset preset = demo ? Preset.DEMO : Preset.LIST;
        clientOptions.check();
        Policy policy = policyOptions.toPolicy(preset);
        try (NettyTransport transport = clientOptions.transport(policy, preset)) {
            Client client = clientOptions.client(policy, transport, preset);
            return demo ? checkDemo(client) : checkList(client);
        }
    }

    private int checkList(Client client) throws IOException, InterruptedException, WrongUsage {
        try (EndpointList list = readList()) {
            return check(client, Preset.LIST, list).allAnswered() ? ANSWERED : NOT_ANSWERED;
        }
    }

    private int checkDemo(Client client) throws IOException, InterruptedException, WrongUsage {
        try (DemoServer server = DemoServer.start();
                EndpointList list = EndpointList.read("demo", server.list())) {
            return check(client, Preset.DEMO, list).allWritten() && server.scriptWasMet() ? ANSWERED : NOT_ANSWERED;
        }
    }

    private Checked check(Client client, Preset preset, EndpointList list) throws IOException, InterruptedException {
        Program program = new Program(
                client,
                json ? new JsonFormat() : new TextFormat(),
                new FileOutputStream(FileDescriptor.out),
                System.err,
                GRACE);
        return program.run(list, clientOptions.window(preset), clientOptions.concurrency(preset), clientOptions.seed());
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
