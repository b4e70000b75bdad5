package io.penstock.accountservice.sync;

import io.penstock.accountservice.account.Housekeeping;
import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.store.Accounts;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Compares what the nodes hold with what was signed, after each connect and every so often, and repairs it: a node that
 * was empty, or one that was given an older token, gets the right one again.
 */
@ApplicationScoped
public class Reconciler {
    private static final Logger LOG = Logger.getLogger(Reconciler.class);
    private static final long HOUSEKEEPING_SECONDS = 2;

    private final Accounts accounts;
    private final AccountSync sync;
    private final SyncQueue queue;
    private final SystemConnection connection;
    private final Housekeeping housekeeping;
    private final ServiceConfig config;
    private final AtomicLong repairs = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(
            1, Thread.ofPlatform().daemon().name("reconciler").factory());

    Reconciler(
            Accounts accounts,
            AccountSync sync,
            SyncQueue queue,
            SystemConnection connection,
            Housekeeping housekeeping,
            ServiceConfig config) {
        this.accounts = accounts;
        this.sync = sync;
        this.queue = queue;
        this.connection = connection;
        this.housekeeping = housekeeping;
        this.config = config;
    }

    /** Starts the rounds. */
    public void start() {
        long interval = config.sync().reconcileInterval().toMillis();
        var _ = timer.scheduleWithFixedDelay(
                () -> guarded("comparing claims", this::compareAll), interval, interval, TimeUnit.MILLISECONDS);
        var _ = timer.scheduleWithFixedDelay(
                () -> guarded("housekeeping", this::tidyUp),
                HOUSEKEEPING_SECONDS,
                HOUSEKEEPING_SECONDS,
                TimeUnit.SECONDS);
    }

    /** A whole round now, on the caller's thread. */
    public void compareAll() {
        if (!connection.isConnected()) {
            return;
        }
        connection.refreshNodes();
        List<String> all = QuarkusTransaction.requiringNew().call(accounts::liveIds);
        List<String> unsynced = QuarkusTransaction.requiringNew().call(accounts::unsyncedIds);
        for (String accountId : all) {
            boolean waiting = unsynced.contains(accountId);
            if (!waiting && !sync.isOnAllNodes(accountId)) {
                repairs.incrementAndGet();
                waiting = true;
            }
            if (waiting) {
                var _ = queue.request(accountId);
            }
        }
    }

    /** How many times a node held something else than what was signed last. */
    public long repairs() {
        return repairs.get();
    }

    private void tidyUp() {
        for (String accountId : housekeeping.run()) {
            var _ = queue.request(accountId);
        }
    }

    private static void guarded(String what, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            // The next round tries again; an exception let through would end the rounds for good.
            LOG.warnf("%s failed: %s", what, e.getMessage());
        }
    }

    @PreDestroy
    void stop() {
        timer.shutdownNow();
    }
}
