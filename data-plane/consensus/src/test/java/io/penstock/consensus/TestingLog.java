package io.penstock.consensus;

import java.util.ArrayList;
import java.util.List;

/**
 * A log in memory for tests of state machines: commits on the loop's next turn, keeps entries over {@link #restart}, and
 * can hold back, fail or drop proposals.
 */
public final class TestingLog implements ReplicatedLog {
    private record Entry(long timestampNanos, byte[] bytes) {}

    private record Proposal(long timestampNanos, byte[] bytes, Object attachment) {}

    private final GroupLoop loop;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Proposal> pending = new ArrayList<>();
    private StateMachine machine;
    private Role role = Role.STOPPED;
    private long firstIndex = 1;
    private long applied;
    private long lastTimestamp;
    private long term;
    private boolean held;
    private boolean scheduled;

    public TestingLog(GroupLoop loop) {
        this.loop = loop;
    }

    @Override
    public void start(StateMachine machine, long appliedIndex) {
        this.machine = machine;
        applied = Math.max(appliedIndex, firstIndex - 1);
        long from = applied;
        while (applied < lastIndex()) {
            Entry entry = entries.get((int) (applied + 1 - firstIndex));
            applied++;
            machine.apply(applied, entry.timestampNanos, entry.bytes, entry.bytes.length, null);
        }
        if (applied > from) {
            machine.applied(applied);
        }
        term++;
        role = Role.LEADER;
        machine.roleChanged(role, leader(), term);
    }

    /** Forgets the machine and what is not committed, as a crash would; {@link #start} again with another machine. */
    public void restart() {
        pending.clear();
        machine = null;
        role = Role.STOPPED;
        held = false;
    }

    @Override
    public void propose(long timestampNanos, byte[] entry, int length, Object attachment) {
        if (role != Role.LEADER) {
            machine.failed(attachment, new IllegalStateException("not the leader"));
            return;
        }
        byte[] copy = new byte[length];
        System.arraycopy(entry, 0, copy, 0, length);
        pending.add(new Proposal(timestampNanos, copy, attachment));
        schedule();
    }

    /** Leaves proposals uncommitted until {@link #release}. */
    public void hold() {
        held = true;
    }

    public void release() {
        held = false;
        schedule();
    }

    /** Fails what is pending; with {@code committed} it is applied all the same, without attachment. */
    public void failPending(Throwable cause, boolean committed) {
        List<Proposal> failing = List.copyOf(pending);
        pending.clear();
        for (Proposal proposal : failing) {
            machine.failed(proposal.attachment, cause);
        }
        if (committed) {
            failing.forEach(proposal -> pending.add(new Proposal(proposal.timestampNanos, proposal.bytes, null)));
            commit();
        }
    }

    public void changeRole(Role newRole) {
        role = newRole;
        term++;
        machine.roleChanged(newRole, leader(), term);
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            loop.execute(() -> {
                scheduled = false;
                if (!held && machine != null) {
                    commit();
                }
            });
        }
    }

    private void commit() {
        List<Proposal> committing = List.copyOf(pending);
        pending.clear();
        for (Proposal proposal : committing) {
            lastTimestamp = Math.max(lastTimestamp + 1, proposal.timestampNanos);
            entries.add(new Entry(lastTimestamp, proposal.bytes));
            applied = lastIndex();
            machine.apply(applied, lastTimestamp, proposal.bytes, proposal.bytes.length, proposal.attachment);
        }
        if (!committing.isEmpty()) {
            machine.applied(applied);
        }
    }

    public long lastIndex() {
        return firstIndex + entries.size() - 1;
    }

    public long firstIndex() {
        return firstIndex;
    }

    @Override
    public long pendingBytes() {
        return pending.stream().mapToLong(proposal -> proposal.bytes.length).sum();
    }

    @Override
    public boolean holdsLease() {
        return role != Role.STOPPED;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public String leader() {
        return role == Role.LEADER ? "testing" : "";
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public long appliedIndex() {
        return applied;
    }

    @Override
    public void checkpointed(long index) {
        while (firstIndex <= index && !entries.isEmpty()) {
            entries.removeFirst();
            firstIndex++;
        }
    }

    @Override
    public void close() {
        role = Role.STOPPED;
    }
}
