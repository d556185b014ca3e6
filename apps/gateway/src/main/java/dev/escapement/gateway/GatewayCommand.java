package dev.escapement.gateway;

import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.config.ConfigReader;
import dev.escapement.gateway.config.ConfigResult;
import dev.escapement.gateway.config.EffectiveConfig;
import dev.escapement.gateway.config.Fault;
import dev.escapement.gateway.demo.Demo;
import dev.escapement.gateway.reload.ConfigSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: what is asked for, and what comes of it as an exit code. */
@Command(
        name = GatewayCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpWidth = 100,
        description = "A reverse proxy. Without a configuration it starts a demo with upstreams of its own.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped, and every request had its answer; with --check: no faults",
            "1:stopped, and some were cut; or it could not start",
            "2:wrong usage, or a configuration with faults",
        },
        footerHeading = "%nSignals:%n",
        footer = {
            "  TERM, INT  stop gracefully; a second one ends at once",
            "  HUP        read the configuration again (not with -Xrs, nor under nohup)",
            "  USR1       open the access log's file again",
        })
final class GatewayCommand implements Callable<Integer> {

    static final String NAME = "escapement-gateway";

    static final int GOOD = 0;
    static final int FAILED = 1;
    static final int WRONG = 2;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, in YAML; watched for changes.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Where clients connect, whatever the configuration says.")
    private @Nullable InetSocketAddress listen;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Where operators connect, whatever the configuration says.")
    private @Nullable InetSocketAddress admin;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description = "Tell every fault of a configuration, and start nothing.")
    private @Nullable Path check;

    @Option(names = "--print-defaults", description = "Print a configuration that says every default.")
    private boolean printDefaults;

    @Spec
    private CommandSpec spec;

    private final Hangup hangup;

    /** @param hangup told to reload, once there is something to reload */
    GatewayCommand(Hangup hangup) {
        this.hangup = hangup;
    }

    @Override
    public Integer call() throws IOException {
        long purposes = Stream.of(config != null, check != null, printDefaults)
                .filter(asked -> asked)
                .count();
        if (purposes > 1) {
            throw new ParameterException(
                    spec.commandLine(), "--config, --check and --print-defaults exclude each other");
        }
        if (printDefaults) {
            out().print(EffectiveConfig.defaults());
            out().flush();
            return GOOD;
        }
        if (check != null) {
            return check(ConfigSource.ofFile(check));
        }
        return config == null ? demo() : serve(ConfigSource.ofFile(config));
    }

    private int check(ConfigSource source) {
        ConfigResult result = read(source);
        result.warnings().forEach(warning -> err().println("warning: " + warning));
        if (result instanceof ConfigResult.Good good) {
            out().println(source.name() + ": no faults; version "
                    + good.config().version());
            return GOOD;
        }
        ((ConfigResult.Bad) result).faults().forEach(err()::println);
        return WRONG;
    }

    private ConfigResult read(ConfigSource source) {
        try {
            return source.read()
                    .map(text -> ConfigReader.read(source.name(), text, addresses()))
                    .orElseGet(() -> unread(source, "missing or empty"));
        } catch (IOException e) {
            return unread(source, "cannot be read: " + e.getMessage());
        }
    }

    private static ConfigResult unread(ConfigSource source, String why) {
        return new ConfigResult.Bad(List.of(Fault.ofFile(source.name(), why)), List.of());
    }

    private int demo() throws IOException {
        try (Demo demo = Demo.start()) {
            Gateway gateway = Gateway.start(ConfigSource.ofText("demo", demo.configuration()), addresses(), this::tell);
            out().println(Demo.invitation(gateway.address(), gateway.adminAddress()));
            return untilTheEndOf(gateway);
        }
    }

    private int serve(ConfigSource source) throws IOException {
        ConfigResult result = read(source);
        if (result instanceof ConfigResult.Bad bad) {
            bad.faults().forEach(err()::println);
            return WRONG;
        }
        return untilTheEndOf(Gateway.start(source, addresses(), this::tell));
    }

    private int untilTheEndOf(Gateway gateway) {
        hangup.becomes(gateway::reload);
        Signals.handle("TERM", gateway::stop);
        Signals.handle("INT", gateway::stop);
        Signals.handle("USR1", gateway::reopenLog);
        tell("listening at " + Addresses.write(gateway.address()) + ", for operators at "
                + Addresses.write(gateway.adminAddress()));
        return gateway.ended().join() ? GOOD : FAILED;
    }

    private void tell(String line) {
        err().println(NAME + ": " + line);
    }

    private Addresses addresses() {
        return new Addresses(Optional.ofNullable(listen), Optional.ofNullable(admin));
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
