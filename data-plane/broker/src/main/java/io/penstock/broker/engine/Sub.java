package io.penstock.broker.engine;

import io.penstock.broker.Account;
import io.penstock.broker.Connection;
import io.penstock.broker.MessageTarget;
import io.penstock.broker.SubjectRewrite;
import io.penstock.broker.Subscription;
import io.penstock.broker.permission.DenyFilter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * A subscription in a graph: a connection's own, a function of the server, or the shadow of one of these that stands in
 * another account.
 */
final class Sub implements Subscription {
    private static final VarHandle REMOTE;
    private static final VarHandle CLAIMED;
    private static final VarHandle REMOVED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            REMOTE = lookup.findVarHandle(Sub.class, "deliveredRemotely", long.class);
            REMOVED = lookup.findVarHandle(Sub.class, "removed", boolean.class);
            CLAIMED = lookup.findVarHandle(Sub.class, "claimed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final LocalAccount account;
    final String pattern;
    final String queue;
    final String sid;

    /** {@code " sid "}, as it stands between subject and reply of a delivery. */
    final byte[] sidField;

    final ClientConnection connection;
    final MessageTarget target;

    /** The way to the node that wants this, for interest of other nodes; else null. */
    final RouteConnection route;

    final SubjectRewrite rewrite;

    /** Whether a function counts as a client's subscription for imports: what JetStream takes in from the graph. */
    boolean listed;

    /** Whether other nodes are not told of it, so that nothing that comes from them may reach it. */
    boolean local;

    /** What a shadow stands for; itself for all others. Counts and ends are the original's. */
    final Sub original;

    /** Messages kept back; null when none. A change must invalidate the graph's caches. */
    volatile DenyFilter filter;

    /** Whether it is out of the graph. */
    @SuppressWarnings("UnusedVariable") // through REMOVED
    private volatile boolean removed;

    /** Members of the queue group on the other node. */
    private volatile int weight;

    /** Deliveries by the connection's own loop; written by that loop alone. */
    private long deliveredLocally;

    /** Deliveries by other threads. */
    @SuppressWarnings("UnusedVariable") // through REMOTE
    private volatile long deliveredRemotely;

    /** Deliveries after which it ends, 0 for never; set by the connection's loop. */
    private volatile long max;

    /** Deliveries granted since {@link #max} was set, counted from the first of all. */
    @SuppressWarnings("UnusedVariable") // through CLAIMED
    private volatile long claimed;

    private Sub(
            LocalAccount account,
            String pattern,
            String queue,
            String sid,
            ClientConnection connection,
            MessageTarget target,
            RouteConnection route,
            SubjectRewrite rewrite,
            Sub original) {
        this.account = account;
        this.pattern = pattern;
        this.queue = queue;
        this.sid = sid;
        this.sidField = original == null ? (" " + sid + " ").getBytes(StandardCharsets.ISO_8859_1) : original.sidField;
        this.connection = connection;
        this.target = target;
        this.route = route;
        this.rewrite = rewrite;
        this.original = original == null ? this : original;
    }

    static Sub ofConnection(LocalAccount account, String pattern, String queue, String sid, ClientConnection owner) {
        return new Sub(account, pattern, queue, sid, owner, null, null, null, null);
    }

    static Sub ofFunction(LocalAccount account, String pattern, String queue, MessageTarget target) {
        return new Sub(account, pattern, queue, "", null, target, null, null, null);
    }

    /** @param weight members of the queue group on the other node, 1 without a group */
    static Sub ofRoute(LocalAccount account, String pattern, String queue, RouteConnection route, int weight) {
        Sub sub = new Sub(account, pattern, queue, "", null, null, route, null, null);
        sub.weight = weight;
        return sub;
    }

    static Sub shadow(LocalAccount account, String pattern, Sub of, SubjectRewrite rewrite) {
        Sub original = of.original;
        SubjectRewrite all = of.rewrite == null ? rewrite : subject -> of.rewrite.rewrite(rewrite.rewrite(subject));
        return new Sub(
                account,
                pattern,
                original.queue,
                original.sid,
                original.connection,
                original.target,
                null,
                all,
                original);
    }

    /** Marks it as gone; false when it was already. */
    boolean markRemoved() {
        return REMOVED.compareAndSet(this, false, true);
    }

    boolean isRemoved() {
        return removed;
    }

    /** Whether interest listeners are told of it. */
    boolean isReported() {
        return !isShadow() && (connection != null || listed);
    }

    /** Whether it is another node's. */
    boolean isRemote() {
        return route != null;
    }

    /** Whether other nodes are told of it. */
    boolean isPropagated() {
        return route == null && !local;
    }

    int weight() {
        return weight;
    }

    /** Takes over a new number of members on the other node. */
    void reweigh(int members) {
        weight = members;
        account.tree.invalidate(pattern);
    }

    boolean isShadow() {
        return original != this;
    }

    /**
     * Asks for leave to deliver once more.
     *
     * @return 0 when it must not be delivered, 1 when it may, 2 when it may and this is the last one
     */
    int claim(boolean onOwnLoop) {
        Sub counting = original;
        long limit = counting.max;
        if (limit > 0) {
            long number = (long) CLAIMED.getAndAdd(counting, 1L) + 1;
            return number > limit ? 0 : number == limit ? 2 : 1;
        }
        if (onOwnLoop) {
            counting.deliveredLocally++;
        } else {
            REMOTE.getAndAdd(counting, 1L);
        }
        return 1;
    }

    /** Sets the number of deliveries after which it ends; on the connection's loop. False when it is reached already. */
    boolean limitTo(long deliveries) {
        long before = delivered();
        if (deliveries <= before) {
            return false;
        }
        claimed = before;
        max = deliveries;
        return true;
    }

    @Override
    public long delivered() {
        long limit = original.max;
        return limit > 0 ? Math.min(limit, original.claimed) : original.deliveredLocally + original.deliveredRemotely;
    }

    @Override
    public long max() {
        return original.max;
    }

    @Override
    public String pattern() {
        return pattern;
    }

    @Override
    public String queue() {
        return queue;
    }

    @Override
    public String sid() {
        return sid;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Account account() {
        return account;
    }

    @Override
    public void remove() {
        account.remove(this);
        if (connection != null && !isShadow()) {
            connection.forget(this);
        }
    }
}
