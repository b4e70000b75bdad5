package io.penstock.localstack;

import io.penstock.localstack.StackState.Started;
import io.penstock.localstack.service.Service;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops the stack, the last started first. */
@Command(name = "down", mixinStandardHelpOptions = true, description = "Stops everything; data stays.")
final class DownCommand implements Callable<Integer> {
    @Mixin
    private HomeOption home;

    @Override
    public Integer call() {
        StackHome folder = home.home();
        StackState state = StackState.load(folder.state());
        if (state == null) {
            System.out.println("Nothing was started in " + folder.root() + ".");
            return 0;
        }
        Stack stack = new Stack(StackHome.checkout(), folder, state.ports(), Secrets.loadOrCreate(folder.secrets()));
        int stopped = 0;
        for (Service service : stack.services().reversed()) {
            Started started = state.services().get(service.name());
            ProcessHandle process = started == null ? null : started.alive();
            if (process != null) {
                stop(service.name(), process, service.stopLimit());
                stopped++;
            }
        }
        System.out.println(stopped == 0 ? "Nothing runs." : "Stopped. The data stays in " + folder.root() + ".");
        return 0;
    }

    private static void stop(String name, ProcessHandle process, Duration limit) {
        List<ProcessHandle> children = process.descendants().toList();
        CompletableFuture<ProcessHandle> end = process.onExit();
        // A node that was cut off hears nothing until it goes on.
        NodeCommand.signal("CONT", process);
        process.destroy();
        boolean clean = ends(end, limit);
        if (!clean) {
            process.destroyForcibly();
            ends(end, limit);
        }
        children.forEach(ProcessHandle::destroyForcibly);
        System.out.printf(
                "%-16s %s%n", name, clean ? "stopped" : "killed: it did not stop in " + limit.toSeconds() + " s");
    }

    private static boolean ends(CompletableFuture<ProcessHandle> end, Duration limit) {
        try {
            end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new StackException("waiting for a process failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }
}
