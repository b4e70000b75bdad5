package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.concurrent.DefaultFixedThreadsExecutorGroupFactory;
import com.alipay.sofa.jraft.util.concurrent.FixedThreadsExecutorGroup;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftEngine;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Snapshots;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.storage.StorageException;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft engine of a node: its groups, over one journal and one set of links. One in a process, several in a test.
 *
 * <p>The engine is SOFAJRaft with our log, our links and marks in the place of its snapshots; nothing outside of this
 * package knows.
 */
public final class RaftNode implements RaftEngine, RaftEvents {
    private static final Logger LOG = LoggerFactory.getLogger(RaftNode.class);
    private static final long WATCH_MILLIS = 50;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");

    private final RaftOptions options;
    private final GroupTable table;
    private final Map<String, RaftLog> open = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor control;
    private final ExecutorService votes;
    private final FixedThreadsExecutorGroup appends;
    private final LongAdder earlyElections = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder watchdog = new LongAdder();
    private volatile boolean closed;

    private RaftNode(RaftOptions options) {
        EngineSetup.once();
        this.options = options;
        this.table = new GroupTable(options.disk(), options.directory());
        this.control = new ScheduledThreadPoolExecutor(
                3, Thread.ofPlatform().name("raft-control-", 0).daemon().factory());
        control.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.votes = Executors.newFixedThreadPool(
                2, Thread.ofPlatform().name("raft-votes-", 0).daemon().factory());
        this.appends = DefaultFixedThreadsExecutorGroupFactory.INSTANCE.newExecutorGroup(1, "raft-append", 8192, true);
        NodeManager.getInstance().addAddress(endpoint());
        options.links().serve(Rpc.CHANNEL, new Requests(this::byEngineName, votes));
        options.links().serveFiles(Rpc.FILES, this::openFile);
        options.links().addListener(new Links());
        var _ = control.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Starts the engine; groups are opened one by one.
     *
     * @throws StorageException when its files cannot be read
     */
    public static RaftNode open(RaftOptions options) {
        return new RaftNode(options);
    }

    private Endpoint endpoint() {
        return PeerNames.peer(node()).getEndpoint();
    }

    /** The engine's name of a group: it must begin with a letter. */
    static String engineName(String group) {
        return "g" + group;
    }

    private RaftLog byEngineName(String engineName) {
        return engineName.isEmpty() ? null : open.get(engineName.substring(1));
    }

    @Override
    public String node() {
        return options.node();
    }

    @Override
    public RaftGroup open(String group, GroupLoop loop, List<String> initialVoters, Snapshots snapshots) {
        if (!NAME.matcher(group).matches()) {
            throw new IllegalArgumentException(
                    "the name of a group has 1 to 128 letters, digits, '_' and '-', not '" + group + "'");
        }
        synchronized (open) {
            if (closed || open.containsKey(group)) {
                throw new IllegalStateException(
                        closed ? "the engine is closed" : "group " + group + " is open already");
            }
            if (table.find(group) == null) {
                table.add(group, initialVoters);
            }
            RaftLog log = new RaftLog(this, group, loop, snapshots);
            open.put(group, log);
            return log;
        }
    }

    @Override
    public List<String> stored() {
        return table.names();
    }

    @Override
    public void remove(String group) {
        RaftLog log = open.get(group);
        if (log != null) {
            log.close();
        }
        GroupTable.Row row = table.find(group);
        if (row == null) {
            return;
        }
        table.remove(group);
        JournalGroup entries = options.journal().group(row.number());
        entries.reset(1);
        entries.saveVote(0, "");
        try {
            markFile(row).delete();
            if (options.disk().exists(votePath(row))) {
                options.disk().delete(votePath(row));
            }
        } catch (IOException e) {
            LOG.warn("the mark of group {} is left behind: {}", group, e.getMessage());
        }
    }

    /** Elections called at once because a leader's process was gone. */
    public long earlyElections() {
        return earlyElections.sum();
    }

    /** Failures of groups that were begun anew. */
    public long failures() {
        return failures.sum();
    }

    /** Ways to followers made anew because appends went unanswered. */
    public long watchdogResets() {
        return watchdog.sum();
    }

    @Override
    public void close() {
        synchronized (open) {
            closed = true;
        }
        List<Thread> closing = open.values().stream()
                .map(group -> Thread.ofVirtual().start(group::close))
                .toList();
        for (Thread thread : closing) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        NodeManager.getInstance().removeAddress(endpoint());
        control.shutdown();
        votes.shutdown();
        try {
            appends.shutdownGracefully(2, TimeUnit.SECONDS);
        } catch (RuntimeException e) {
            LOG.debug("the append executor did not end", e);
        }
    }

    // --- for the groups -------------------------------------------------------------------------------------------

    GroupTable table() {
        return table;
    }

    Journal journal() {
        return options.journal();
    }

    PeerLinks links() {
        return options.links();
    }

    ScheduledExecutorService control() {
        return control;
    }

    long electionNanos() {
        return options.electionMillis() * 1_000_000L;
    }

    /** Looks whether a group misses its leader. */
    private void watch() {
        for (RaftLog group : open.values()) {
            try {
                group.life().candidacy().look(System.nanoTime());
            } catch (RuntimeException e) {
                LOG.error("group {}: its leader is not watched this time", group.name(), e);
            }
        }
    }

    SmallFile markFile(GroupTable.Row row) {
        return new SmallFile(options.disk(), options.directory().resolve(row.number() + ".mark"));
    }

    VoteReserve voteReserve(GroupTable.Row row) {
        return new VoteReserve(options.disk(), votePath(row));
    }

    private Path votePath(GroupTable.Row row) {
        return options.directory().resolve(row.number() + ".vote");
    }

    void configure(GroupOptions target) {
        EngineSetup.configure(target, options);
        target.setAppendEntriesExecutors(appends);
    }

    void closed(RaftLog log) {
        open.remove(log.name(), log);
    }

    void earlyElection() {
        earlyElections.increment();
    }

    void watchdogFired() {
        watchdog.increment();
    }

    @Override
    public void fatal(String reason) {
        LOG.error("the node must stop: {}", reason);
        options.halt().accept(reason);
    }

    /** If this node leads, another with room had better: what it has written elsewhere is committed without us. */
    @Override
    public void diskRefuses(String group) {
        RaftLog log = open.get(group);
        if (log != null) {
            log.yieldLeadership();
        }
    }

    @Override
    public void groupFailed(String group, String error) {
        failures.increment();
        LOG.error("ALARM: group {} failed and begins anew: {}", group, error);
    }

    // --- copies of state ------------------------------------------------------------------------------------------

    Snapshots.Fetcher fetcher(String source, String group) {
        return new Snapshots.Fetcher() {
            @Override
            public byte[] manifest() throws IOException {
                try (InputStream in = links().fetch(source, Rpc.FILES, group + "/")) {
                    return in.readAllBytes();
                }
            }

            @Override
            public InputStream open(String file) throws IOException {
                return links().fetch(source, Rpc.FILES, group + "/" + file);
            }
        };
    }

    private InputStream openFile(String peer, String path) throws IOException {
        int slash = path.indexOf('/');
        RaftLog log = slash < 0 ? null : open.get(path.substring(0, slash));
        if (log == null) {
            throw new NoSuchFileException(path);
        }
        String file = path.substring(slash + 1);
        return file.isEmpty()
                ? new ByteArrayInputStream(log.snapshots().manifest())
                : log.snapshots().open(file);
    }

    private final class Links implements PeerLinks.Listener {
        @Override
        public void up(String peer) {
            each(group -> group.life().linkUp(peer));
        }

        @Override
        public void down(String peer) {
            LOG.debug("no link to {}", peer);
            // Its process may begin anew, and does not remember then whom it acknowledged.
            open.values().forEach(group -> group.life().lease().lost(peer, System.nanoTime()));
        }

        @Override
        public void refused(String peer) {
            each(group -> group.life().candidacy().processGone(peer));
        }

        private void each(java.util.function.Consumer<RaftLog> action) {
            for (RaftLog group : open.values()) {
                try {
                    control.execute(() -> action.accept(group));
                } catch (RejectedExecutionException e) {
                    LOG.debug("the engine is closed");
                }
            }
        }
    }
}
