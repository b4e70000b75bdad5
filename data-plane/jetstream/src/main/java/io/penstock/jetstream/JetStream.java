package io.penstock.jetstream;

import io.penstock.broker.internal.AccountListener;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.consensus.CheckpointPolicy;
import io.penstock.consensus.RaftEngine;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.api.Reports;
import io.penstock.jetstream.backup.Staging;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ClusterMember;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.RepairCounts;
import io.penstock.storage.StorageException;
import io.penstock.storage.store.StoreDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** JetStream on a node: streams and consumers of all accounts. Safe for use from any thread. */
public final class JetStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JetStream.class);
    private static final long ANSWER_SECONDS = 10;

    /** How long what consumers did may take into the logs at the end. */
    private static final long SETTLE_SECONDS = 2;

    private final JetStreamOptions options;
    private final NodeStorage storage;
    private final Host host;

    /** The three of a cluster; null on a node alone. */
    private final RaftEngine raft;

    private final PlacementGroups groups;
    private final ClusterMember member;
    private Scrubber scrubber;

    private JetStream(JetStreamOptions options, ClusterJoin join) {
        this.options = options;
        this.storage = new NodeStorage(options, join != null);
        this.host = new Host(storage.loop, options, new Random(), new JsApi(options));
        if (join == null) {
            raft = null;
            groups = null;
            member = null;
            return;
        }
        Path directory = options.storeDirectory();
        // Votes are cast for the others' sake, wherever the directory is.
        raft = join.raft(storage.journal, options.disk(), directory.resolve("raft"));
        groups = new PlacementGroups(
                host,
                raft,
                storage.disk,
                directory.resolve("groups"),
                storage.journal::writtenBytes,
                CheckpointPolicy.DEFAULT,
                storage.events,
                storage.room);
        member = join.member(host, groups, raft);
        host.join(member, member);
        storage.alsoHurry(() -> {
            var _ = groups.checkpoint();
            member.checkpoint();
        });
        storage.whenGone(() -> {
            var _ = member.handOver();
        });
    }

    /**
     * Opens the store directory, recovers every stream and begins to serve accounts. Returns when all streams are there.
     *
     * @param accounts takes the listener that hears of accounts, usually {@code broker.accounts()::addListener}
     * @throws StorageException when the store cannot be opened: which file, and why
     */
    public static JetStream start(JetStreamOptions options, Consumer<AccountListener> accounts) {
        return start(options, null, accounts);
    }

    /**
     * As {@link #start(JetStreamOptions, Consumer)}, as a member of a cluster: streams of placement groups come into
     * service when their groups have leaders, after this returns.
     *
     * @param join what makes this node a member
     */
    public static JetStream start(JetStreamOptions options, ClusterJoin join, Consumer<AccountListener> accounts) {
        JetStream jetStream = new JetStream(options, join);
        jetStream.begin();
        jetStream.scrubber = Scrubber.start(jetStream::directories);
        accounts.accept(jetStream.new Listener());
        return jetStream;
    }

    private void begin() {
        Staging.clear(storage.disk, options.storeDirectory());
        try {
            onLoop(() -> {
                        host.open(Host.SOLO, storage.log, storage.stores, storage.parts)
                                .start();
                        if (member != null) {
                            member.start();
                            host.serve();
                        }
                        return true;
                    })
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException("interrupted while recovering streams");
        } catch (ExecutionException e) {
            closeStorage();
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private List<StoreDirectory> directories() {
        return ask(
                () -> {
                    List<StoreDirectory> all = new ArrayList<>(List.of(storage.stores));
                    if (groups != null) {
                        all.addAll(groups.directories());
                    }
                    return all;
                },
                List.of());
    }

    /** How the files of this node fare. Never waits. */
    public StorageFigures storage() {
        RepairCounts repairs = host.repairCounts();
        DiskRoom room = storage.room;
        return new StorageFigures(
                room.free(),
                room.reserve(),
                room.journalBytes(),
                room.journalLimit(),
                room.behind(),
                storage.events.damagedCount(),
                storage.events.writeFailureCount(),
                storage.setAside,
                repairs.diverged(),
                repairs.repaired(),
                scrubber.figures());
    }

    private <T> CompletableFuture<T> onLoop(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        storage.loop.execute(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private <T> T ask(Supplier<T> work, T otherwise) {
        try {
            return onLoop(work).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("JetStream gave no answer: {}", e.toString());
            return otherwise;
        }
    }

    public JetStreamOptions options() {
        return options;
    }

    /** What is stored and used, with each account's streams and consumers; takes a moment. */
    public JetStreamStats stats() {
        return ask(() -> Reports.stats(host, true), JetStreamStats.NONE);
    }

    /** As {@link #stats()} without streams and consumers. */
    public JetStreamStats sums() {
        return ask(() -> Reports.stats(host, false), JetStreamStats.NONE);
    }

    /** An account's streams that this node keeps a replica of and does not lead; takes a moment. */
    public List<JetStreamStats.StreamStats> replicas(String account) {
        return ask(() -> Reports.replicas(host, account), List.of());
    }

    /** Accounts that have streams here, whether or not they may use JetStream now; takes a moment. */
    public List<String> storedAccounts() {
        return ask(
                () -> host.accounts().stream()
                        .filter(account -> !account.streams().isEmpty())
                        .map(AccountRuntime::name)
                        .toList(),
                List.of());
    }

    /** What stops JetStream from taking messages, or null when all is well. Never waits. */
    public String problem() {
        String gone = storage.disk.problem();
        if (gone != null) {
            return "JetStream takes no messages: " + gone;
        }
        if (storage.room.full()) {
            return "JetStream takes no messages: the disk of " + options.storeDirectory() + " is nearly full, "
                    + storage.room.free() + " bytes are free and " + storage.room.reserve() + " are kept";
        }
        ReplicatedLog.Role role = storage.log.role();
        return switch (role) {
            case LEADER -> null;
            case CANDIDATE ->
                "JetStream takes no messages: the disk of " + options.storeDirectory() + " refuses writes";
            case FOLLOWER, LEARNER -> null;
            case STOPPED -> "JetStream has stopped, see the server's log";
        };
    }

    /** Tells waiting clients, has in the logs what consumers did, writes checkpoints and releases the store. */
    @Override
    public void close() {
        scrubber.close();
        ask(
                () -> {
                    if (member != null) {
                        member.stop();
                    }
                    host.stop();
                    return true;
                },
                false);
        settle();
        closeStorage();
    }

    /** Waits until the logs have what was put into them last; without a majority it does not come about. */
    private void settle() {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        storage.loop.execute(() -> host.afterPending(() -> settled.complete(null)));
        try {
            settled.get(SETTLE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "the logs did not take within {} s what consumers did last: it may be delivered again",
                    SETTLE_SECONDS);
        }
    }

    private void closeStorage() {
        storage.checkpoint(groups == null ? CompletableFuture.completedFuture(true) : groups.checkpoint());
        if (raft != null) {
            groups.close();
            raft.close();
        }
        storage.close();
    }

    private final class Listener implements AccountListener {
        @Override
        public void accountEnabled(String account, InternalClient client, JetStreamLimits limits) {
            storage.loop.execute(() -> host.enable(account, client, limits));
        }

        @Override
        public void accountDisabled(String account) {
            storage.loop.execute(() -> host.disable(account));
        }
    }
}
