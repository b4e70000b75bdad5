package io.penstock.server;

import io.penstock.broker.ServerIdentity;
import io.penstock.server.config.ConfigException;
import io.penstock.server.config.ConfigProblem;
import io.penstock.server.config.Configuration;
import io.penstock.server.config.Flags;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The command {@code nats-server}: serves, or does what the flags ask instead. */
public final class Main {
    /** Name in front of every message, whatever the file is called that was run. */
    static final String COMMAND = "nats-server";

    private static final PrintStream OUT = stream(FileDescriptor.out);
    private static final PrintStream ERR = stream(FileDescriptor.err);

    private Main() {}

    public static void main(String[] arguments) {
        int code = 0;
        try {
            run(List.of(arguments));
        } catch (ExitException e) {
            code = e.code();
            if (e.getMessage() != null) {
                ERR.println(e.getMessage());
            }
        }
        OUT.flush();
        ERR.flush();
        // Other threads may still be on their way out; the outcome is settled.
        Runtime.getRuntime().halt(code);
    }

    private static void run(List<String> arguments) throws ExitException {
        Flags flags;
        try {
            flags = Flags.parse(arguments);
        } catch (Flags.UsageException e) {
            throw new ExitException(2, e.getMessage() + "\n" + Usage.TEXT);
        }
        try {
            switch (flags.request()) {
                case VERSION -> OUT.println(COMMAND + ": v" + ServerIdentity.PROTOCOL_VERSION);
                case HELP -> OUT.println(Usage.TEXT);
                case TLS_HELP -> OUT.println(Usage.TLS_TEXT);
                case SIGNAL -> SignalCommand.send(flags.signal());
                case CHECK -> check(flags);
                case SERVE -> Node.run(flags, load(flags));
            }
        } catch (ConfigException e) {
            throw new ExitException(1, COMMAND + ": " + e.getMessage());
        }
    }

    /** Reads the configuration and shows its warnings. */
    private static Configuration load(Flags flags) throws ConfigException {
        Configuration configuration = Configuration.load(flags, System::getenv);
        for (ConfigProblem warning : configuration.warnings()) {
            ERR.println(warning);
        }
        return configuration;
    }

    private static void check(Flags flags) throws ConfigException, ExitException {
        Configuration current = load(flags);
        ERR.println(COMMAND + ": configuration file " + flags.configFile() + " is valid ("
                + current.options().configDigest() + ")");
        String candidate = flags.reloadCandidate();
        if (candidate.isEmpty()) {
            return;
        }
        Configuration next = load(flags.withConfigFile(candidate));
        try {
            Reload.between(current.options(), next.options());
        } catch (ConfigException e) {
            throw new ExitException(3, COMMAND + ": " + e.getMessage());
        }
        ERR.println(COMMAND + ": configuration file " + candidate + " can be reloaded");
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
