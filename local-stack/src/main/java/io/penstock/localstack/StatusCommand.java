package io.penstock.localstack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.localstack.StackState.Started;
import io.penstock.localstack.service.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what runs. Exit code 0 when all of it does, 3 when something does not. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Tells what runs and where its log is. Exit code 3 when a service does not run.")
final class StatusCommand implements Callable<Integer> {
    private static final int NOT_RUNNING = 3;

    /** The state of one service. */
    enum State {
        /** Runs and answers. */
        READY,
        /** Runs but does not answer (yet). */
        STARTING,
        /** Was started and has ended by itself or was killed. */
        DEAD,
        /** Was not started, or stopped by {@code down}. */
        STOPPED;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** JSON of one service. */
    record ServiceView(String name, Long pid, String state, String log) {}

    /** JSON of {@code --json}. */
    record View(
            String console,
            String api,
            String client,
            String websocket,
            String monitor,
            String mail,
            List<ServiceView> services) {}

    @Mixin
    private HomeOption home;

    @Option(names = "--json", description = "Machine-readable output.")
    private boolean json;

    @Override
    public Integer call() throws JsonProcessingException {
        StackHome folder = home.home();
        StackState state = StackState.load(folder.state());
        if (state == null) {
            throw new StackException("nothing was started in " + folder.root() + ": run ./penstock up");
        }
        Stack stack = new Stack(StackHome.checkout(), folder, state.ports(), Secrets.loadOrCreate(folder.secrets()));
        List<ServiceView> services = new ArrayList<>();
        for (Service service : stack.services()) {
            services.add(view(service, state.services().get(service.name()), folder));
        }
        View view = new View(
                stack.consoleUrl(),
                stack.consoleUrl() + "/v1",
                stack.clientUrl(),
                stack.websocketUrl(),
                stack.monitorUrl(),
                stack.mailUrl(),
                services);
        if (json) {
            System.out.println(
                    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(view));
        } else {
            print(view);
        }
        boolean all = services.stream().allMatch(service -> service.state().equals(State.READY.word()));
        return all ? 0 : NOT_RUNNING;
    }

    private static ServiceView view(Service service, Started started, StackHome home) {
        String log = home.log(service.name()).toString();
        if (started == null) {
            return new ServiceView(service.name(), null, State.STOPPED.word(), log);
        }
        if (started.alive() == null) {
            return new ServiceView(service.name(), null, State.DEAD.word(), log);
        }
        State state = service.ready() ? State.READY : State.STARTING;
        return new ServiceView(service.name(), started.pid(), state.word(), log);
    }

    private static void print(View view) {
        for (ServiceView service : view.services()) {
            System.out.printf(
                    "%-16s %-9s %-8s %s%n",
                    service.name(), service.state(), service.pid() == null ? "-" : service.pid(), service.log());
        }
        System.out.printf(
                "%nConsole %s  Clients %s  WebSocket %s  Monitoring %s  Mail %s%n",
                view.console(), view.client(), view.websocket(), view.monitor(), view.mail());
        view.services().stream()
                .filter(service -> service.state().equals(State.DEAD.word()))
                .forEach(dead -> System.out.printf(
                        "%s has ended: ./penstock logs %s shows why, ./penstock up starts it again.%n",
                        dead.name(), dead.name()));
    }
}
