package io.penstock.localstack;

import io.penstock.localstack.StackState.Started;
import io.penstock.localstack.process.Detached;
import io.penstock.localstack.service.Service;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Starts services wave by wave and waits for each to answer. */
final class Starter {
    private static final long POLL_NANOS = Duration.ofMillis(100).toNanos();
    private static final int LOG_TAIL_LINES = 15;

    private final Stack stack;
    private final PrintStream out;

    /** Guarded by this: the services of one wave start on threads of their own. */
    private StackState state;

    Starter(Stack stack, StackState state, PrintStream out) {
        this.stack = stack;
        this.state = state;
        this.out = out;
    }

    void start() {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (List<Service> wave : stack.waves()) {
                List<Future<?>> starts = wave.stream()
                        .<Future<?>>map(service -> threads.submit(() -> start(service)))
                        .toList();
                for (Future<?> start : starts) {
                    await(start);
                }
            }
        }
    }

    private static void await(Future<?> start) {
        try {
            start.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new StackException("start failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted; ./penstock down stops what has started", e);
        }
    }

    /** Starts one service unless it runs, and waits for it. */
    void start(Service service) {
        Started known = known(service.name());
        if (known != null && known.alive() != null) {
            say("%-16s runs", service.name());
            return;
        }
        long begin = System.nanoTime();
        say("%-16s starting …", service.name());
        service.prepare();
        Path log = stack.home().log(service.name());
        Process process = Detached.start(service.process(), log);
        remember(service.name(), Started.of(process.toHandle(), log));
        awaitReady(service, process, log, begin);
        service.afterStart();
        say("%-16s ready after %.1f s", service.name(), (System.nanoTime() - begin) / 1e9);
    }

    private void awaitReady(Service service, Process process, Path log, long begin) {
        long limit = service.startLimit().toNanos();
        while (!service.ready()) {
            if (!process.isAlive()) {
                throw new StackException(service.name() + " ended with code " + process.exitValue()
                        + " while starting. Its log, " + log + ", ends with:\n" + tail(log));
            }
            if (System.nanoTime() - begin > limit) {
                throw new StackException(service.name() + " did not answer within "
                        + service.startLimit().toSeconds() + " s. Its log, " + log + ", ends with:\n" + tail(log));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private synchronized Started known(String service) {
        return state.services().get(service);
    }

    private synchronized void remember(String service, Started started) {
        state = state.with(service, started);
        state.save(stack.home().state());
    }

    private synchronized void say(String format, Object... values) {
        out.printf(format + "%n", values);
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return "    "
                    + String.join("\n    ", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "    (not readable: " + e.getMessage() + ")";
        }
    }
}
