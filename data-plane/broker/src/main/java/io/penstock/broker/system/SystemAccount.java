package io.penstock.broker.system;

import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.sharing.Sharing;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The system account's side of a server: services that answer, events that tell. */
public final class SystemAccount implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemAccount.class);

    /** Questions that may wait; more are answered by nobody, which the asker learns at once. */
    private static final int MAX_WAITING_QUESTIONS = 4096;

    private static final int STATS_SECONDS = 10;
    private static final int CONNECTIONS_SECONDS = 30;

    private final Broker broker;
    private final ThreadPoolExecutor executor;
    private final SystemServices services;
    private final AccountReports reports;

    /** Accounts that have their services; guarded by itself. */
    private final Set<String> started = new HashSet<>();

    private SystemAccount(Broker broker, ThreadPoolExecutor executor, SystemServices services, AccountReports reports) {
        this.broker = broker;
        this.executor = executor;
        this.services = services;
        this.reports = reports;
    }

    /**
     * Starts services and events of the broker's system account, which must be set.
     *
     * @param directory null outside operator mode
     * @param claimsThread the directory's thread; also the clock of periodic events
     * @param withEvents false when there is to be no system account: then only ordinary accounts' services run
     */
    public static SystemAccount start(
            Broker broker,
            Sharing sharing,
            AccountDirectory directory,
            ScheduledExecutorService claimsThread,
            InstantSource clock,
            boolean withEvents) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING_QUESTIONS),
                Thread.ofPlatform().daemon().name("penstock-system").factory());
        ServerInfo server = new ServerInfo(broker, clock);
        ServerStats stats = new ServerStats(broker, server);
        AccountReports reports =
                new AccountReports(broker, sharing, directory, new AccountConnections(server, clock), clock);
        ReplySender replies = new ReplySender(server);
        SystemServices services = new SystemServices(broker, clock, executor, replies, stats, reports);
        SystemEvents events = new SystemEvents(broker, server, stats, reports, clock, claimsThread);
        SystemAccount account = new SystemAccount(broker, executor, services, reports);
        if (withEvents) {
            Account system = broker.accounts().system();
            services.startSystem(system);
            if (directory != null) {
                ClaimsServices claims =
                        new ClaimsServices(broker, directory, system, server, replies, services, claimsThread);
                claims.start();
            }
            broker.addEvents(events);
            if (broker.options().cluster() != null) {
                new ClusterConnections(broker, events, claimsThread).start(system);
            }
            account.repeat(claimsThread, STATS_SECONDS, events::publishStats);
            account.repeat(claimsThread, CONNECTIONS_SECONDS, events::publishAllConnections);
        }
        return account;
    }

    // A failure must not end the repetition.
    private void repeat(ScheduledExecutorService timer, int seconds, Runnable task) {
        var _ = timer.scheduleAtFixedRate(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        LOG.error("publishing periodic events failed", e);
                    }
                },
                seconds,
                seconds,
                TimeUnit.SECONDS);
    }

    /** Gives an ordinary account what it may ask about itself; no effect when it has it. */
    public void accountAdded(Account account) {
        synchronized (started) {
            if (account == broker.accounts().system() || !started.add(account.name())) {
                return;
            }
        }
        services.startAccount(account);
    }

    /** To be called when an account is gone, so that one of the same name starts afresh. */
    public void accountRemoved(String name) {
        synchronized (started) {
            started.remove(name);
        }
    }

    public SystemServices services() {
        return services;
    }

    public AccountReports reports() {
        return reports;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
