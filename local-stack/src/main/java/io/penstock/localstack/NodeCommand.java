package io.penstock.localstack;

import io.penstock.localstack.StackState.Started;
import io.penstock.localstack.service.BrokerNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Loses a broker node and brings it back, to see what the others do. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        description = "Kills, cuts off or starts one broker node; the others go on.")
final class NodeCommand implements Callable<Integer> {
    private static final int END_SECONDS = 20;

    enum Action {
        /** The process dies at once (SIGKILL), as in a crash. */
        KILL,
        /** It falls silent with its connections open (SIGSTOP), as if its host were cut off. */
        ISOLATE,
        /** It goes on where it was cut off, or starts again. */
        START
    }

    @Mixin
    private HomeOption home;

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description = "kill: the process dies at once. isolate: its process is stopped (SIGSTOP): it falls"
                    + " silent with its connections open, much as if its host were cut off; a real cut is what"
                    + " ./penstock chaos makes. start: it goes on, or starts again.")
    private Action action;

    @Parameters(index = "1", paramLabel = "NAME", description = "A broker node, for instance node-b.")
    private String name;

    @Override
    public Integer call() {
        StackHome folder = home.home();
        StackState state = StackState.load(folder.state());
        if (state == null) {
            throw new StackException("nothing was started in " + folder.root() + ": run ./penstock up");
        }
        Stack stack = new Stack(StackHome.checkout(), folder, state.ports(), Secrets.loadOrCreate(folder.secrets()));
        if (!(stack.service(name) instanceof BrokerNode node)) {
            throw new StackException(name + " is not a broker node; those of this stack begin with node-");
        }
        Started started = state.services().get(name);
        ProcessHandle process = started == null ? null : started.alive();
        switch (action) {
            case KILL -> kill(running(process));
            case ISOLATE -> {
                signal("STOP", running(process));
                System.out.println(name + " is silent; ./penstock node start " + name + " brings it back.");
            }
            case START -> {
                if (process != null) {
                    signal("CONT", process);
                }
                new Starter(stack, state, System.out).start(node);
            }
        }
        return 0;
    }

    private ProcessHandle running(ProcessHandle process) {
        if (process == null) {
            throw new StackException(name + " does not run: ./penstock node start " + name);
        }
        return process;
    }

    private void kill(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(END_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new StackException("process " + process.pid() + " of " + name + " does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
        System.out.println(name + " is dead; ./penstock node start " + name + " starts it again.");
    }

    static void signal(String signal, ProcessHandle process) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new StackException("kill -" + signal + " " + process.pid() + " ended with code " + code);
            }
        } catch (IOException e) {
            throw new StackException("kill cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }
}
