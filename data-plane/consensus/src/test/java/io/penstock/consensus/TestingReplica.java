package io.penstock.consensus;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/** A replica of a group in a {@link TestingCluster}: Raft but for the elections, which the cluster decides. */
final class TestingReplica implements RaftGroup {
    private static final long HEARTBEAT = 50_000_000L;
    private static final int BATCH = 16;

    /** Answers to an append that is not taken: there is a newer term; or what comes before it is not there. */
    private static final long STALE = -2;

    private static final long MISMATCH = -1;

    /** An entry: of the machine, or the engine's own when {@code bytes} is null. */
    private record Entry(long term, long time, byte[] bytes, TestingMembership members) {}

    /** What survives a crash. */
    static final class Stored {
        private long base;
        private long baseTerm;
        private TestingMembership baseMembers = TestingMembership.of(List.of());
        private final List<Entry> entries = new ArrayList<>();
        private long durable;
        private long term;

        /** Casts no vote: it may have forgotten one. */
        private boolean waiting;

        /** Only members told above this index let a waiting replica vote. */
        private long waitsAbove = -1;

        private long last() {
            return base + entries.size();
        }

        private Entry entry(long index) {
            return entries.get((int) (index - base - 1));
        }

        private long termAt(long index) {
            return index == base ? baseTerm : index < base || index > last() ? -1 : entry(index).term;
        }

        private void cut(long lastKept) {
            while (last() > lastKept) {
                entries.removeLast();
            }
            durable = Math.min(durable, last());
        }

        private TestingMembership members(long upTo) {
            for (long index = Math.min(upTo, last()); index > base; index--) {
                if (entry(index).members != null) {
                    return entry(index).members;
                }
            }
            return baseMembers;
        }
    }

    private record Change(long index, CompletableFuture<Void> done) {}

    final TestingCluster.Node node;
    private final TestingCluster cluster;
    private final String group;
    final Snapshots snapshots;
    private final Stored stored;
    private final int life;
    private final GroupLoop loop;
    private StateMachine machine;
    private Role role = Role.STOPPED;
    private boolean started;
    private boolean leading;
    private boolean closed;
    private String leader = "";
    private long commit;
    private long applied;
    private long lastTime;
    private long pendingBytes;
    private boolean applyScheduled;
    private boolean installing;
    private long checkpointing = -1;

    private final Map<Long, Object> pending = new TreeMap<>();
    private final Map<String, Long> next = new HashMap<>();
    private final Map<String, Long> match = new HashMap<>();
    private final Map<String, Long> seen = new HashMap<>();
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final ArrayDeque<Change> reads = new ArrayDeque<>();
    final TestingLease lease = new TestingLease(this);

    TestingReplica(
            TestingCluster cluster,
            TestingCluster.Node node,
            String group,
            List<String> initialVoters,
            Snapshots snapshots) {
        this.cluster = cluster;
        this.node = node;
        this.group = group;
        this.snapshots = snapshots;
        this.life = node.life;
        this.loop = node.loop;
        boolean fresh = !node.disk.containsKey(group);
        this.stored = node.disk.computeIfAbsent(group, key -> new Stored());
        if (fresh) {
            stored.baseMembers = TestingMembership.of(initialVoters);
            stored.waiting = initialVoters.isEmpty();
        }
    }

    // --- the port -------------------------------------------------------------------------------------------------

    @Override
    public void start(StateMachine stateMachine, long appliedIndex) {
        machine = stateMachine;
        applied = Math.max(appliedIndex, stored.base);
        commit = applied;
        started = true;
        lease.started(cluster.now());
        loop.execute(() -> become(isVoter(node.name) ? Role.FOLLOWER : Role.LEARNER));
        cluster.watch(this);
    }

    @Override
    public void propose(long timestampNanos, byte[] entry, int length, Object attachment) {
        if (role != Role.LEADER || !leading) {
            loop.execute(() ->
                    machine.failed(attachment, new NotProposedException("group " + group + " is not led from here")));
            return;
        }
        byte[] bytes = new byte[length];
        System.arraycopy(entry, 0, bytes, 0, length);
        lastTime = Math.max(lastTime + 1, timestampNanos);
        long index = append(new Entry(stored.term, lastTime, bytes, null));
        pending.put(index, new Object[] {attachment});
        pendingBytes += length;
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public boolean holdsLease() {
        return role == Role.LEADER && leading && lease.holds(cluster.now());
    }

    @Override
    public String leader() {
        return leader;
    }

    @Override
    public long term() {
        return stored.term;
    }

    @Override
    public long appliedIndex() {
        return applied;
    }

    @Override
    public long lastIndex() {
        return stored.last();
    }

    @Override
    public String name() {
        return group;
    }

    @Override
    public void beginCheckpoint(LongConsumer begun) {
        if (installing || role == Role.STOPPED || !started) {
            begun.accept(-1);
            return;
        }
        loop.execute(() -> {
            checkpointing = applied;
            begun.accept(applied);
        });
    }

    @Override
    public void checkpointed(long index) {
        long upTo = Math.min(index, checkpointing);
        checkpointing = -1;
        if (upTo <= stored.base || closed) {
            return;
        }
        cluster.boundary(node, "before the checkpoint of " + group);
        TestingMembership members = stored.members(upTo);
        long term = stored.termAt(upTo);
        stored.entries.subList(0, (int) (upTo - stored.base)).clear();
        stored.base = upTo;
        stored.baseTerm = term;
        stored.baseMembers = members;
        stored.durable = Math.max(stored.durable, upTo);
        cluster.boundary(node, "behind the checkpoint of " + group);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        stepDown(stored.term, "");
        closed = true;
        leading = false;
        node.replicas.remove(group, this);
        if (started) {
            become(Role.STOPPED);
        }
    }

    @Override
    public List<Replica> replicas() {
        List<Replica> replicas = new ArrayList<>();
        for (String name : members().all()) {
            boolean self = name.equals(node.name);
            long lag = self ? 0 : leading ? Math.max(0, stored.last() - match.getOrDefault(name, 0L)) : -1;
            boolean current = self
                    ? leading || applied >= commit
                    : leading ? match.getOrDefault(name, 0L) >= commit : name.equals(leader);
            long age = self ? 0 : seen.containsKey(name) ? cluster.now() - seen.get(name) : -1;
            boolean away = !self && !cluster.reachable(node.name, name);
            replicas.add(new Replica(name, isVoter(name), name.equals(leader), current && !away, lag, age, away));
        }
        return replicas;
    }

    @Override
    public CompletionStage<Void> transferLeadership(String target) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!leading) {
            return fail(done, "group " + group + " is not led from here");
        }
        loop.schedule(5_000_000 + cluster.random().nextInt(20_000_000), () -> {
            List<String> candidates =
                    new ArrayList<>(target.isEmpty() ? members().voters() : List.of(target));
            candidates.remove(node.name);
            boolean moved =
                    candidates.stream().anyMatch(name -> cluster.knows(name) && cluster.moveLeader(group, name));
            loop.execute(() -> settle(done, moved, "no other voter can take over now"));
        });
        return done;
    }

    @Override
    public CompletionStage<Void> addLearner(String name) {
        Set<String> learners = new TreeSet<>(members().learners());
        learners.add(name);
        return change(members().voters(), learners);
    }

    @Override
    public CompletionStage<Void> promote(String name) {
        Set<String> voters = new TreeSet<>(members().voters());
        voters.add(name);
        return change(voters, members().learners());
    }

    @Override
    public CompletionStage<Void> removeReplica(String name) {
        Set<String> voters = new TreeSet<>(members().voters());
        voters.remove(name);
        Set<String> learners = new TreeSet<>(members().learners());
        learners.remove(name);
        return change(voters, learners);
    }

    @Override
    public CompletionStage<Void> changeVoters(List<String> names) {
        return change(new TreeSet<>(names), members().learners());
    }

    private CompletionStage<Void> change(Set<String> voters, Set<String> learners) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (role != Role.LEADER || !leading) {
            return fail(done, "group " + group + " is not led from here");
        }
        if (!changes.isEmpty()) {
            return fail(done, "another change of the members is under way");
        }
        if (voters.isEmpty()) {
            return fail(done, "a group needs a voter");
        }
        Set<String> left = new TreeSet<>(learners);
        left.removeAll(voters);
        TestingMembership joint = new TestingMembership(voters, left, members().voters());
        changes.add(new Change(append(new Entry(stored.term, lastTime, null, joint)), done));
        return done;
    }

    @Override
    public CompletionStage<Long> readIndex() {
        CompletableFuture<Long> done = new CompletableFuture<>();
        if (leading) {
            confirmRead(commit, done);
        } else if (leader.isEmpty()) {
            return fail(done, "no leader is known");
        } else {
            String asked = leader;
            Runnable lost = () -> loop.execute(() -> fail(done, "the leader did not answer"));
            cluster.sendSurely(
                    node.name,
                    asked,
                    () -> {
                        TestingReplica other = cluster.node(asked).replicas.get(group);
                        if (other == null || other.role != Role.LEADER) {
                            lost.run();
                            return;
                        }
                        CompletableFuture<Long> theirs = new CompletableFuture<>();
                        var _ = theirs.whenComplete((index, failure) -> {
                            if (failure != null) {
                                lost.run();
                            } else {
                                cluster.sendSurely(asked, node.name, () -> awaitApplied(index, done), lost);
                            }
                        });
                        other.confirmRead(other.commit, theirs);
                    },
                    lost);
        }
        return done;
    }

    /** A leader must hear from a majority that it still is one. */
    private void confirmRead(long index, CompletableFuture<Long> done) {
        long term = stored.term;
        loop.schedule(200_000 + cluster.random().nextInt(2_000_000), () -> {
            boolean valid = role == Role.LEADER && leading && term == cluster.newestTerm(group) && hasQuorum();
            if (valid) {
                awaitApplied(index, done);
            } else {
                fail(done, "group " + group + " is not led from here");
            }
        });
    }

    private void awaitApplied(long index, CompletableFuture<Long> done) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        var _ = reached.whenComplete((nothing, failure) -> {
            if (failure == null) {
                done.complete(index);
            } else {
                done.completeExceptionally(failure);
            }
        });
        loop.execute(() -> {
            if (applied >= index) {
                reached.complete(null);
            } else {
                reads.add(new Change(index, reached));
            }
        });
    }

    @Override
    public void preferLeaders(List<String> ranked) {
        // The dice elect here: no order of theirs may be relied upon.
    }

    private static <T> CompletionStage<T> fail(CompletableFuture<T> done, String reason) {
        done.completeExceptionally(new IllegalStateException(reason));
        return done;
    }

    private static void settle(CompletableFuture<Void> done, boolean succeeded, String reason) {
        if (succeeded) {
            done.complete(null);
        } else {
            fail(done, reason);
        }
    }

    @Override
    public String toString() {
        return group + "@" + node.name + " " + role + (leading ? " leading" : "") + (installing ? " installing" : "")
                + " term " + stored.term + " log " + stored.base + ".." + stored.durable + ".." + stored.last()
                + " of term " + stored.termAt(stored.last()) + " commit " + commit + " applied " + applied + " "
                + members();
    }

    // --- elections ------------------------------------------------------------------------------------------------

    boolean leads() {
        return leading;
    }

    boolean closed() {
        return closed;
    }

    void died() {
        closed = true;
        leading = false;
        long kept = stored.durable + cluster.random().nextInt((int) (stored.last() - stored.durable) + 1);
        stored.cut(kept);
        stored.durable = stored.last();
    }

    TestingMembership members() {
        return stored.members(stored.last());
    }

    private boolean isVoter(String name) {
        return members().voters().contains(name) || members().old().contains(name);
    }

    /** Whether a majority is there to talk to. */
    boolean hasQuorum() {
        List<String> there = new ArrayList<>();
        for (String name : members().all()) {
            if (name.equals(node.name)
                    || (cluster.reachable(node.name, name)
                            && cluster.node(name).replicas.containsKey(group))) {
                there.add(name);
            }
        }
        return members().majority(there);
    }

    boolean mayWin() {
        if (!started || closed || installing || stored.waiting || !isVoter(node.name)) {
            return false;
        }
        List<String> granting = new ArrayList<>();
        for (String name : members().all()) {
            if (name.equals(node.name) || cluster.reachable(node.name, name)) {
                TestingReplica voter = cluster.node(name).replicas.get(group);
                if (voter != null
                        && voter.started
                        && !voter.stored.waiting
                        && voter.notNewerThan(stored)
                        && voter.lease.mayVote(cluster, this)) {
                    granting.add(name);
                }
            }
        }
        return members().majority(granting);
    }

    private boolean notNewerThan(Stored other) {
        long own = stored.termAt(stored.last());
        long its = other.termAt(other.durable);
        return own < its || (own == its && stored.last() <= other.durable);
    }

    /** What granted the vote has it on disk; the winner leads from now on. */
    void electedBy(long term) {
        for (String name : members().all()) {
            if (!name.equals(node.name) && cluster.reachable(node.name, name)) {
                TestingReplica voter = cluster.node(name).replicas.get(group);
                if (voter != null && voter.started && !voter.stored.waiting) {
                    voter.stepDown(term, "");
                }
            }
        }
        stepDown(term, "");
        stored.cut(stored.durable);
        cluster.boundary(node, "behind the vote of " + group);
        leading = true;
        next.clear();
        match.clear();
        lease.clear();
        for (String name : members().all()) {
            next.put(name, stored.last() + 1);
        }
        append(new Entry(term, lastTime, null, null));
        heartbeat(term);
    }

    void stepDown(long term, String newLeader) {
        boolean newer = term > stored.term;
        stored.term = Math.max(stored.term, term);
        boolean wasLeading = leading;
        leading = false;
        if (!newer && !wasLeading && leader.equals(newLeader)) {
            return;
        }
        leader = newLeader;
        Map<Long, Object> failing = new TreeMap<>(pending);
        pending.clear();
        pendingBytes = 0;
        loop.execute(() -> {
            if (closed) {
                return;
            }
            failing.values()
                    .forEach(held -> machine.failed(
                            ((Object[]) held)[0], new IllegalStateException("leadership was lost, outcome unknown")));
            while (!changes.isEmpty()) {
                fail(changes.remove().done, "leadership was lost, outcome unknown");
            }
            if (!leading || wasLeading) {
                become(isVoter(node.name) ? (leader.isEmpty() ? Role.CANDIDATE : Role.FOLLOWER) : Role.LEARNER);
            }
        });
    }

    private void become(Role newRole) {
        role = newRole;
        machine.roleChanged(newRole, leader, stored.term);
    }

    // --- replication ----------------------------------------------------------------------------------------------

    private long append(Entry entry) {
        stored.entries.add(entry);
        long index = stored.last();
        persistLater();
        replicate();
        return index;
    }

    private void persistLater() {
        long upTo = stored.last();
        long term = stored.termAt(upTo);
        later(20_000 + cluster.random().nextInt(1_500_000), () -> {
            if (stored.termAt(upTo) == term && upTo > stored.durable) {
                cluster.boundary(node, "before the log of " + group);
                stored.durable = upTo;
                cluster.boundary(node, "behind the log of " + group);
            }
            if (leading) {
                advance();
            }
        });
    }

    private void later(long delay, Runnable task) {
        cluster.at(delay, () -> {
            if (node.life == life && !closed) {
                task.run();
            }
        });
    }

    private void heartbeat(long term) {
        later(HEARTBEAT, () -> {
            if (leading && stored.term == term) {
                replicate();
                heartbeat(term);
            }
        });
    }

    private void replicate() {
        for (String name : members().all()) {
            if (!name.equals(node.name) && cluster.knows(name)) {
                replicateTo(name);
            }
        }
    }

    private void replicateTo(String name) {
        long from = next.computeIfAbsent(name, key -> stored.last() + 1);
        long term = stored.term;
        long sent = cluster.now();
        String self = node.name;
        if (from <= stored.base) {
            cluster.send(self, name, () -> deliver(name, other -> other.onInstall(this, term, sent)));
            return;
        }
        long previous = from - 1;
        long previousTerm = stored.termAt(previous);
        long to = Math.min(stored.last(), previous + BATCH);
        List<Entry> entries =
                new ArrayList<>(stored.entries.subList((int) (previous - stored.base), (int) (to - stored.base)));
        long committed = commit;
        cluster.send(
                self,
                name,
                () -> deliver(
                        name, other -> other.onAppend(this, term, sent, previous, previousTerm, entries, committed)));
    }

    private void deliver(String name, java.util.function.Consumer<TestingReplica> message) {
        TestingReplica other = cluster.node(name).replicas.get(group);
        if (cluster.hears(name, group) && other != null && other.started && !other.closed) {
            message.accept(other);
        }
    }

    private void onAppend(
            TestingReplica from,
            long term,
            long sent,
            long previous,
            long previousTerm,
            List<Entry> entries,
            long committed) {
        if (term < stored.term) {
            answer(from, term, sent, STALE, stored.term);
            return;
        }
        heard(from, term, committed);
        if (installing) {
            return;
        }
        int skip = Math.clamp(stored.base - previous, 0, entries.size());
        long at = previous + skip;
        if (at < stored.base) {
            answer(from, term, sent, stored.base, term);
            return;
        }
        if (skip == 0 && stored.termAt(previous) != previousTerm) {
            answer(from, term, sent, MISMATCH, Math.min(stored.last(), previous - 1));
            return;
        }
        boolean added = false;
        for (int i = skip; i < entries.size(); i++) {
            long index = previous + i + 1;
            Entry entry = entries.get(i);
            if (stored.termAt(index) == entry.term) {
                continue;
            }
            stored.cut(index - 1);
            stored.entries.add(entry);
            added = true;
        }
        long matched = previous + entries.size();
        commit(Math.min(committed, matched));
        if (added) {
            persistLater();
        }
        later(added ? 1_600_000 : 0, () -> {
            if (stored.term == term) {
                answer(from, term, sent, Math.min(matched, stored.durable), term);
            }
        });
    }

    private void heard(TestingReplica from, long term, long committed) {
        if (term > stored.term || leading || !leader.equals(from.node.name)) {
            stepDown(term, from.node.name);
        }
        seen.put(from.node.name, cluster.now());
        lease.heard(from, cluster.now());
        if (stored.waiting && stored.waitsAbove < 0) {
            stored.waitsAbove = committed;
        }
    }

    private void answer(TestingReplica to, long term, long sent, long matched, long hint) {
        String self = node.name;
        cluster.send(self, to.node.name, () -> to.onAnswer(self, term, sent, matched, hint));
    }

    private void onAnswer(String from, long term, long sent, long matched, long hint) {
        if (!leading || closed || term != stored.term) {
            return;
        }
        seen.put(from, cluster.now());
        if (matched != STALE) {
            lease.acknowledged(from, sent);
        }
        if (matched >= 0) {
            match.merge(from, matched, Math::max);
            long before = next.getOrDefault(from, 1L);
            next.put(from, Math.max(match.get(from) + 1, matched + 1));
            advance();
            if (matched < stored.last() && matched >= before) {
                replicateTo(from);
            }
        } else if (matched == STALE) {
            stepDown(hint, "");
        } else {
            next.put(from, Math.max(1, Math.min(next.getOrDefault(from, 1L) - 1, hint + 1)));
            replicateTo(from);
        }
    }

    private void onInstall(TestingReplica from, long term, long sent) {
        if (term < stored.term || installing) {
            return;
        }
        heard(from, term, from.commit);
        long index = from.stored.base;
        long indexTerm = from.stored.baseTerm;
        TestingMembership members = from.stored.baseMembers;
        if (index <= applied) {
            answer(from, term, sent, Math.min(index, stored.durable), term);
            return;
        }
        Snapshots.Staged staged;
        try {
            staged = snapshots.fetch(new TestingCopy(cluster, node.name, from));
            cluster.boundary(node, "behind the copy of " + group);
        } catch (IOException e) {
            return;
        }
        installing = true;
        loop.execute(() -> {
            installing = false;
            if (closed || index <= applied) {
                staged.discard();
                return;
            }
            try {
                staged.install(index);
            } catch (IOException e) {
                throw new AssertionError("a copy cannot be installed; seed " + cluster.seed(), e);
            }
            cluster.boundary(node, "within the installation of " + group);
            reset(index, indexTerm, members);
            cluster.boundary(node, "behind the installation of " + group);
            answer(from, term, sent, index, term);
        });
    }

    private void reset(long index, long term, TestingMembership members) {
        boolean keeps = stored.termAt(index) == term;
        if (keeps) {
            stored.entries.subList(0, (int) (index - stored.base)).clear();
        } else {
            stored.entries.clear();
        }
        stored.base = index;
        stored.baseTerm = term;
        stored.baseMembers = members;
        stored.durable = keeps ? Math.max(stored.durable, index) : index;
        applied = index;
        commit = Math.max(commit, index);
        checkpointing = -1;
        admit(index, members);
    }

    private void advance() {
        for (long index = stored.last(); index > commit && stored.termAt(index) == stored.term; index--) {
            List<String> having = new ArrayList<>();
            for (String name : stored.members(index).all()) {
                long there = name.equals(node.name) ? stored.durable : match.getOrDefault(name, 0L);
                if (there >= index) {
                    having.add(name);
                }
            }
            if (stored.members(index).majority(having)) {
                commit(index);
                replicate();
                return;
            }
        }
    }

    private void commit(long index) {
        if (index > commit) {
            commit = index;
        }
        if (!applyScheduled && commit > applied) {
            applyScheduled = true;
            loop.execute(this::applyCommitted);
        }
    }

    private void applyCommitted() {
        applyScheduled = false;
        if (closed || installing) {
            return;
        }
        long before = applied;
        long upTo = Math.min(
                Math.min(commit, stored.last()), applied + 1 + cluster.random().nextInt(BATCH));
        while (applied < upTo && !closed) {
            Entry entry = stored.entry(applied + 1);
            applied++;
            lastTime = Math.max(lastTime, entry.time);
            if (entry.bytes != null) {
                Object held = pending.remove(applied);
                if (held != null) {
                    pendingBytes -= entry.bytes.length;
                }
                Object attachment = held == null ? null : ((Object[]) held)[0];
                machine.apply(applied, entry.time, entry.bytes, entry.bytes.length, attachment);
            } else if (entry.members != null) {
                membersApplied(entry);
            } else if (leading && entry.term == stored.term) {
                leader = node.name;
                become(Role.LEADER);
            }
        }
        if (applied > before) {
            machine.applied(applied);
        }
        while (!reads.isEmpty() && reads.peek().index <= applied) {
            reads.remove().done.complete(null);
        }
        commit(commit);
    }

    private void membersApplied(Entry entry) {
        admit(applied, entry.members);
        if (leading && !entry.members.old().isEmpty() && stored.last() >= applied) {
            long index = append(new Entry(
                    stored.term,
                    lastTime,
                    null,
                    new TestingMembership(entry.members.voters(), entry.members.learners(), Set.of())));
            if (!changes.isEmpty() && changes.peek().index == applied) {
                changes.add(new Change(index, changes.remove().done));
            }
        } else if (!changes.isEmpty() && changes.peek().index <= applied) {
            changes.remove().done.complete(null);
            if (leading && !entry.members.voters().contains(node.name)) {
                stepDown(stored.term, "");
            }
        }
        if (!leading && role != Role.STOPPED && (role == Role.LEARNER) == isVoter(node.name)) {
            become(isVoter(node.name) ? Role.FOLLOWER : Role.LEARNER);
        }
    }

    private void admit(long index, TestingMembership members) {
        if (stored.waiting
                && stored.waitsAbove >= 0
                && index > stored.waitsAbove
                && members.learners().contains(node.name)) {
            stored.waiting = false;
        }
    }
}
