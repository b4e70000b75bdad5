package io.penstock.controlplane.web;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jboss.logging.Logger;

/**
 * Runs what goes on after an answer was given, each task on a virtual thread of its own and outside of the request: nothing of the
 * request's context may be used there.
 */
@ApplicationScoped
public class Background {
    private static final Logger LOG = Logger.getLogger(Background.class);

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("background-", 0).factory());

    public void run(String what, Runnable task) {
        threads.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException failed) {
                LOG.errorf(failed, "%s failed", what);
            }
        });
    }

    @PreDestroy
    void stop() {
        threads.shutdownNow();
    }
}
