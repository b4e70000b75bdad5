package io.penstock.localstack;

import io.penstock.localstack.StackState.Started;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts what does not run yet and returns when everything answers. */
@Command(name = "up", mixinStandardHelpOptions = true, description = "Starts the product on this machine.")
final class UpCommand implements Callable<Integer> {
    enum PortChoice {
        /** 4222 for clients, 8222 for monitoring, 8080 for the console. */
        DEFAULT,
        /** Whatever is free: for a second stack on the machine. */
        RANDOM
    }

    @Mixin
    private HomeOption home;

    @Option(
            names = "--ports",
            defaultValue = "default",
            description = "default or random; a home that has been up before keeps its ports.")
    private PortChoice ports;

    @Option(
            names = "--nodes",
            description = "Broker nodes, 1 or 3, each in a zone of its own. Default: 3; a home keeps its number.")
    private Integer nodes;

    @Override
    public Integer call() {
        if (nodes != null && nodes != 1 && nodes != Ports.DEFAULT_NODES) {
            throw new StackException("--nodes must be 1 or 3, not " + nodes);
        }
        StackHome folder = home.home();
        StackState state = StackState.load(folder.state());
        if (state == null) {
            int count = nodes == null ? Ports.DEFAULT_NODES : nodes;
            Ports chosen = ports == PortChoice.RANDOM ? Ports.random(count) : Ports.defaults(count);
            state = new StackState(chosen, new LinkedHashMap<>());
        } else if (nodes != null && nodes != state.ports().nodes().size()) {
            throw new StackException("this stack has " + state.ports().nodes().size()
                    + " broker nodes and keeps them; another number needs another --home");
        }
        Path checkout = StackHome.checkout();
        Preflight.check(checkout, folder, state);
        Stack stack = new Stack(checkout, folder, state.ports(), Secrets.loadOrCreate(folder.secrets()));
        long running = state.services().values().stream()
                .map(Started::alive)
                .filter(process -> process != null)
                .count();
        if (running == stack.services().size()) {
            System.out.println("Everything runs already.");
        } else {
            new Starter(stack, state, System.out).start();
        }
        printWelcome(stack);
        return 0;
    }

    private static void printWelcome(Stack stack) {
        System.out.printf(
                """

                Penstock is up.

                  Console     %s      sign up there
                  Mail        %s      where its mails arrive
                  Clients     %s      nats --server … --creds FILE
                  WebSocket   %s
                  Monitoring  %s

                From Terraform:  ./penstock terraform -chdir=terraform/examples/quickstart apply

                Stop with ./penstock down; the data stays in %s.
                """,
                stack.consoleUrl(),
                stack.mailUrl(),
                stack.clientUrl(),
                stack.websocketUrl(),
                stack.monitorUrl(),
                stack.home().root());
    }
}
