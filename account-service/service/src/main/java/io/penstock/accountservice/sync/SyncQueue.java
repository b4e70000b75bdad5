package io.penstock.accountservice.sync;

import io.penstock.accountservice.config.ServiceConfig;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * One line for each account: at most one push of an account runs, and whatever is asked meanwhile becomes one more.
 * What fails is tried again, with pauses that double.
 */
@ApplicationScoped
public class SyncQueue {
    private static final Logger LOG = Logger.getLogger(SyncQueue.class);
    private static final int PARALLEL = 4;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** The line of one account. Guarded by the queue's monitor. */
    private static final class Line {
        boolean running;
        CompletableFuture<Void> next;
        int failures;
        boolean retryPlanned;
    }

    private final AccountSync sync;
    private final ServiceConfig config;
    private final Semaphore permits = new Semaphore(PARALLEL);
    private final Map<String, Line> lines = new HashMap<>();
    private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sync-retries").factory());

    SyncQueue(AccountSync sync, ServiceConfig config) {
        this.sync = sync;
        this.config = config;
    }

    /** Asks for a push of what the account's claims are from now on. The future ends with that push. */
    public synchronized CompletableFuture<Void> request(String accountId) {
        Line line = lines.computeIfAbsent(accountId, id -> new Line());
        if (line.next == null) {
            line.next = new CompletableFuture<>();
            if (!line.running) {
                start(accountId, line);
            }
        }
        return line.next;
    }

    /** Asks for a push and waits a little for it, so that most callers already see `synced`. */
    public void requestAndWait(String accountId) {
        try {
            Void _ = request(accountId).get(config.sync().requestWait().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debugf("account %s is not synced yet: %s", accountId, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(String accountId, Line line) {
        line.running = true;
        Thread.ofVirtual().name("sync-" + accountId).start(() -> run(accountId, line));
    }

    private void run(String accountId, Line line) {
        permits.acquireUninterruptibly();
        CompletableFuture<Void> current = take(line);
        try {
            sync.run(accountId);
            finish(accountId, line, null);
            current.complete(null);
        } catch (RuntimeException e) {
            finish(accountId, line, e);
            current.completeExceptionally(e);
        } finally {
            permits.release();
        }
    }

    private synchronized CompletableFuture<Void> take(Line line) {
        CompletableFuture<Void> current = line.next;
        line.next = null;
        return current;
    }

    private synchronized void finish(String accountId, Line line, RuntimeException failure) {
        line.running = false;
        if (failure == null) {
            line.failures = 0;
        } else {
            line.failures++;
            planRetry(accountId, line, failure);
        }
        if (line.next != null) {
            start(accountId, line);
        } else if (failure == null && !line.retryPlanned) {
            lines.remove(accountId);
        }
    }

    private void planRetry(String accountId, Line line, RuntimeException failure) {
        if (line.retryPlanned || retries.isShutdown()) {
            return;
        }
        Duration pause = config.sync().retryPause().multipliedBy(1L << Math.min(line.failures - 1, 10));
        if (pause.compareTo(LONGEST_PAUSE) > 0) {
            pause = LONGEST_PAUSE;
        }
        if (line.failures == 1 || line.failures % 10 == 0) {
            LOG.warnf("account %s: push failed (%d times): %s", accountId, line.failures, failure.getMessage());
        }
        line.retryPlanned = true;
        var _ = retries.schedule(() -> retry(accountId, line), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void retry(String accountId, Line line) {
        line.retryPlanned = false;
        if (lines.get(accountId) == line) {
            var _ = request(accountId);
        }
    }

    @PreDestroy
    void stop() {
        retries.shutdownNow();
    }
}
