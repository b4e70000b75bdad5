package io.penstock.server;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.Brokers;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.TraceOptions;
import io.penstock.broker.auth.AccessControl;
import io.penstock.broker.auth.AuthConfigException;
import io.penstock.broker.system.AccountReports;
import io.penstock.broker.system.SystemRequestException;
import io.penstock.server.config.ConfigException;
import io.penstock.server.config.ConfigProblem;
import io.penstock.server.config.Configuration;
import io.penstock.server.config.Flags;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.log.Level;
import io.penstock.server.log.LogSettings;
import io.penstock.server.log.ServerLog;
import io.penstock.server.monitor.JetStreamSource;
import io.penstock.server.monitor.Pages;
import io.penstock.server.monitor.Source;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running server: the broker with everything around it. The main thread owns its life: signals and requests put a
 * command into a queue, and the main thread carries them out one after the other.
 */
final class Node implements Source {
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 10;

    /** Where the node is in its life. */
    private enum State {
        /** Parts are coming up; no client is served yet. */
        STARTING,
        /** Clients are served. */
        RUNNING,
        /** Clients are told to go elsewhere and let go one by one. */
        LAME_DUCK,
        /** Everything is being closed. */
        STOPPING
    }

    private final ServerLog log = ServerLog.get();
    private final InstantSource clock = InstantSource.system();
    private final Flags flags;
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();

    /** Written by the main thread. */
    private volatile ServerOptions options;

    /** Written by the main thread. */
    private volatile State state = State.STARTING;

    /** Written by the main thread. */
    private volatile Instant configured;

    private final ServerIdentity identity;
    private final Broker broker;
    private AccessControl access;
    private JetStreamPart jetStream;
    private MonitoringPart monitoring;
    private PortsFile portsFile;

    private Node(Flags flags, Configuration configuration) {
        this.flags = flags;
        this.options = configuration.options();
        this.configured = clock.instant();
        this.identity = Identities.create(options);
        this.broker = Brokers.create(identity, traced(options));
    }

    /** Serves until a signal ends it. */
    static void run(Flags flags, Configuration configuration) throws ExitException {
        ServerLog log = ServerLog.get();
        try {
            log.configure(settings(configuration.options().logging()));
        } catch (IOException e) {
            throw new ExitException(
                    1,
                    Main.COMMAND + ": the log file "
                            + configuration.options().logging().file() + " cannot be written: " + e.getMessage());
        }
        Node node = new Node(flags, configuration);
        try {
            node.start();
            node.live();
        } catch (FatalException e) {
            log.fatal(e.getMessage());
            throw new ExitException(1, null);
        } finally {
            node.close();
        }
    }

    /** The node cannot start; the message goes to the log. */
    static final class FatalException extends Exception {
        private static final long serialVersionUID = 1L;

        FatalException(String message) {
            super(message, null, false, false);
        }
    }

    private void start() throws FatalException, ExitException {
        Banner.print(log, identity, options);
        registerSignals();
        writePidFile();
        try {
            access = AccessControl.install(broker, options.auth(), clock);
        } catch (AuthConfigException e) {
            throw new ExitException(1, Main.COMMAND + ": " + e.getMessage());
        }
        access.services().onReload(this::reloadForSystemAccount);
        Pages pages = new Pages(this);
        pages.registerWith(access.services());
        monitoring = MonitoringPart.start(this, pages);
        if (options.jetStream() != null) {
            jetStream = JetStreamPart.start(broker, identity, options, this::bringIn);
            jetStream.storedAccounts().forEach(this::bringIn);
        }
        listen();
        state = State.RUNNING;
        log.info("Server is ready");
        writePortsFile();
    }

    /** Streams take in what their account imports also while none of its users is connected. */
    private void bringIn(String account) {
        var _ = access.account(account).whenComplete((found, failure) -> {
            if (failure != null) {
                log.warn("The streams of account " + account + " are kept but not served: " + failure.getMessage());
            }
        });
    }

    private void listen() throws FatalException {
        String address = options.broker().host() + ":" + options.broker().port();
        try {
            await(broker.start(), START_SECONDS);
        } catch (ExecutionException e) {
            throw new FatalException("Error listening on port: " + address + ", \"" + cause(e) + "\"");
        } catch (TimeoutException e) {
            throw new FatalException("Error listening on port: " + address + ", no answer for " + START_SECONDS + " s");
        }
        InetSocketAddress clients = broker.clientAddress();
        log.info("Listening for client connections on "
                + hostPort(options.broker().host(), clients));
        if (options.broker().tls() != null) {
            log.info("TLS " + (options.broker().allowNonTls() ? "available" : "required") + " for client connections");
        }
        InetSocketAddress cluster = broker.clusterAddress();
        if (cluster != null) {
            log.info("Cluster name is "
                    + (options.clusterName() == null ? "not set; any other is met" : options.clusterName()));
            log.info("Listening for route connections on "
                    + hostPort(options.broker().cluster().host(), cluster));
        }
        InetSocketAddress webSocket = broker.webSocketAddress();
        if (webSocket != null) {
            String scheme = options.broker().webSocket().tls() == null ? "ws" : "wss";
            log.info("Listening for websocket clients on " + scheme + "://"
                    + hostPort(options.broker().webSocket().host(), webSocket));
        }
    }

    /** The host as configured, the port as bound. */
    static String hostPort(String host, InetSocketAddress bound) {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + bound.getPort();
    }

    private void registerSignals() {
        Signals.on("INT", name -> command(name, this::stop));
        Signals.on("TERM", name -> command(name, this::terminate));
        Signals.on("HUP", name -> command(name, this::reloadAndLog));
        Signals.on("USR1", name -> command(name, this::reopenLog));
        Signals.on("USR2", name -> command(name, this::lameDuck));
    }

    private void command(String signal, Runnable command) {
        log.info("Trapped \"" + signal + "\" signal");
        commands.add(command);
    }

    /** Carries out commands until the node stops. */
    private void live() throws ExitException {
        while (state != State.STOPPING) {
            try {
                commands.take().run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ExitException(1, Main.COMMAND + ": interrupted");
            }
        }
    }

    private void stop() {
        state = State.STOPPING;
    }

    /** Like {@link #stop}, but lame duck mode is left to end by itself. */
    private void terminate() {
        if (state != State.LAME_DUCK) {
            stop();
        }
    }

    private void lameDuck() {
        if (state != State.RUNNING) {
            return;
        }
        state = State.LAME_DUCK;
        log.info("Entering lame duck mode, stop accepting new clients");
        if (jetStream != null) {
            jetStream.handOver();
        }
        var _ = broker.lameDuck().whenComplete((done, failure) -> commands.add(this::stop));
    }

    private void reopenLog() {
        try {
            log.info(log.reopen() ? "File log re-opened" : "File log re-open ignored, not a file logger");
        } catch (IOException e) {
            log.error("the log file cannot be opened anew: " + e.getMessage());
        }
    }

    private void reloadAndLog() {
        try {
            reload();
        } catch (ConfigException e) {
            log.error("Failed to reload server configuration: " + e.getMessage());
        }
    }

    /** Reads the configuration anew and changes what differs; nothing is changed when something cannot be. */
    private void reload() throws ConfigException {
        if (flags.configFile().isEmpty()) {
            throw new ConfigException(null, "can only reload config when a file is provided using -c or --config");
        }
        Configuration next = Configuration.load(flags, System::getenv);
        for (ConfigProblem warning : next.warnings()) {
            log.warn(warning.toString());
        }
        Reload changes = Reload.between(options, next.options());
        apply(changes, next.options());
        changes.changes().forEach(change -> log.info("Reloaded: " + change));
        log.info("Reloaded server configuration (" + options.configDigest() + ")");
    }

    private void apply(Reload changes, ServerOptions next) throws ConfigException {
        try {
            log.configure(settings(next.logging()));
        } catch (IOException e) {
            throw new ConfigException(null, "the log file " + next.logging().file() + " cannot be written");
        }
        try {
            broker.reload(traced(next));
            if (changes.auth()) {
                access.reload(next.auth());
            }
        } catch (IllegalArgumentException | AuthConfigException e) {
            putBack();
            throw new ConfigException(null, e.getMessage());
        }
        ServerOptions old = options;
        options = next;
        configured = clock.instant();
        try {
            if (next.pidFile() != null && !next.pidFile().equals(old.pidFile())) {
                PidFile.write(next.pidFile());
            }
            deletePortsFile();
            writePortsFile();
        } catch (IOException e) {
            log.error("a file named by the configuration cannot be written: " + e.getMessage());
        }
    }

    /** After a reload that failed half-way: everything as it was. */
    private void putBack() {
        try {
            broker.reload(traced(options));
            log.configure(settings(options.logging()));
        } catch (IOException | IllegalArgumentException e) {
            log.error("after a refused reload the old configuration could not be put back: " + e.getMessage());
        }
    }

    /** Called on the system services' thread; waits for the main thread. */
    private void reloadForSystemAccount() throws SystemRequestException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        commands.add(() -> {
            try {
                reload();
                done.complete(null);
            } catch (ConfigException e) {
                log.error("Failed to reload server configuration: " + e.getMessage());
                done.completeExceptionally(e);
            }
        });
        try {
            done.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new SystemRequestException(500, e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new SystemRequestException(500, "the reload takes longer than " + START_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SystemRequestException(500, "the server stops");
        }
    }

    private void close() {
        state = State.STOPPING;
        log.info("Initiating Shutdown...");
        // JetStream first: whoever waits for messages is told while the connections are still there.
        if (jetStream != null) {
            log.info("Initiating JetStream Shutdown...");
            jetStream.stop();
            log.info("JetStream Shutdown");
        }
        quietly("closing connections", broker.stop());
        if (monitoring != null) {
            monitoring.close();
        }
        if (access != null) {
            access.close();
        }
        try {
            deletePortsFile();
        } catch (IOException e) {
            log.error("the ports file cannot be removed: " + e.getMessage());
        }
        log.info("Server Exiting..");
    }

    private void quietly(String what, CompletionStage<Void> work) {
        try {
            await(work, STOP_SECONDS);
        } catch (ExecutionException e) {
            log.error(what + " failed: " + cause(e));
        } catch (TimeoutException e) {
            log.error(what + " takes longer than " + STOP_SECONDS + " s; going on without");
        }
    }

    static void await(CompletionStage<Void> work, long seconds) throws ExecutionException, TimeoutException {
        try {
            work.toCompletableFuture().get(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(e);
        }
    }

    static String cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void writePidFile() throws FatalException {
        if (options.pidFile() == null) {
            return;
        }
        try {
            PidFile.write(options.pidFile());
        } catch (IOException e) {
            throw new FatalException("Could not write pidfile: " + e.getMessage());
        }
    }

    private void writePortsFile() {
        if (options.portsFileDirectory() == null) {
            return;
        }
        boolean webSocketTls = options.broker().webSocket() != null
                && options.broker().webSocket().tls() != null;
        PortsFile.Listeners listeners = new PortsFile.Listeners(
                broker.clientAddress(),
                options.broker().tls() != null,
                monitoring == null ? null : monitoring.address(),
                monitoring == null ? null : monitoring.secureAddress(),
                broker.webSocketAddress(),
                webSocketTls,
                broker.clusterAddress());
        try {
            portsFile = PortsFile.write(
                    options.portsFileDirectory(), System.getProperty("penstock.executable", Main.COMMAND), listeners);
        } catch (IOException e) {
            log.error("Error writing ports file: " + e.getMessage());
        }
    }

    private void deletePortsFile() throws IOException {
        if (portsFile != null) {
            portsFile.delete();
            portsFile = null;
        }
    }

    private static BrokerOptions traced(ServerOptions options) {
        ServerOptions.Logging logging = options.logging();
        return options.broker().toBuilder()
                .trace(new TraceOptions(
                        logging.trace(),
                        logging.traceSystem(),
                        logging.traceHeaders(),
                        logging.maxTracedBytes(),
                        line -> ServerLog.get().write(Level.TRACE, line)))
                .build();
    }

    private static LogSettings settings(ServerOptions.Logging logging) {
        return new LogSettings(
                logging.file(),
                logging.sizeLimit(),
                logging.maxFiles(),
                logging.debug(),
                logging.trace(),
                logging.timestamps(),
                logging.utc());
    }

    @Override
    public Broker broker() {
        return broker;
    }

    @Override
    public ServerOptions options() {
        return options;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public Instant configured() {
        return configured;
    }

    @Override
    public AccountReports accounts() {
        return access.reports();
    }

    @Override
    public JetStreamSource jetStream() {
        return jetStream;
    }

    @Override
    public int httpPort() {
        return port(monitoring == null ? null : monitoring.address());
    }

    @Override
    public int httpsPort() {
        return port(monitoring == null ? null : monitoring.secureAddress());
    }

    private static int port(InetSocketAddress address) {
        return address == null ? 0 : address.getPort();
    }

    @Override
    public Map<String, Long> requests() {
        return monitoring == null ? Map.of() : monitoring.requests();
    }

    @Override
    public boolean isReady() {
        return state == State.RUNNING || state == State.LAME_DUCK;
    }
}
