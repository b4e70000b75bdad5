package io.penstock.broker.engine;

import io.penstock.broker.Subscription;
import io.penstock.broker.permission.DenyFilter;
import io.penstock.broker.permission.Permissions;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The subscriptions of one connection by sid. Changed on the connection's loop; read by others. */
final class ConnectionSubscriptions {
    /** Queue group of the server itself. */
    private static final String RESERVED_QUEUE = "_sys_";

    private final ClientConnection connection;
    private final Map<String, Sub> bySid = new ConcurrentHashMap<>();
    private long max = -1;

    ConnectionSubscriptions(ClientConnection connection) {
        this.connection = connection;
    }

    /** @param most -1 for no limit */
    void setMax(long most) {
        max = most;
    }

    /** Adds one; gives the text of the error when it is refused. A sid that is taken is left as it is. */
    String add(LocalAccount account, Permissions permissions, String subject, String queue, String sid) {
        if (RESERVED_QUEUE.equals(queue) || !permissions.canSubscribe(subject, queue)) {
            return ErrorText.subscribeDenied(subject, queue);
        }
        int maxTokens = connection.engine.options().maxSubscriptionTokens();
        if (maxTokens > 0 && countTokens(subject) > maxTokens) {
            return ErrorText.tooManyTokens(subject);
        }
        if (bySid.containsKey(sid)) {
            return null;
        }
        if (max >= 0 && bySid.size() >= max) {
            return ErrorText.SUBSCRIPTIONS;
        }
        if (!Subjects.isValidPattern(subject)) {
            return ErrorText.INVALID_SUBJECT;
        }
        Sub sub = Sub.ofConnection(account, subject, queue, sid, connection);
        sub.filter = permissions.denyFilter(subject, queue);
        bySid.put(sid, sub);
        account.add(sub);
        return null;
    }

    private static int countTokens(String subject) {
        int tokens = 1;
        for (int i = 0; i < subject.length(); i++) {
            if (subject.charAt(i) == '.') {
                tokens++;
            }
        }
        return tokens;
    }

    /** Ends one now, or after {@code after} deliveries counted from its beginning. */
    void end(String sid, int after) {
        Sub sub = bySid.get(sid);
        if (sub == null || (after > 0 && sub.limitTo(after))) {
            return;
        }
        bySid.remove(sid);
        removed(sub);
    }

    private void removed(Sub sub) {
        sub.account.remove(sub);
        if (connection.trace != null) {
            connection.trace.ended(sub.sid);
        }
    }

    /** Applies other permissions; gives the errors of those that had to go. */
    List<String> apply(Permissions permissions) {
        List<String> errors = new ArrayList<>();
        for (Sub sub : List.copyOf(bySid.values())) {
            if (!permissions.canSubscribe(sub.pattern, sub.queue)) {
                bySid.remove(sub.sid);
                removed(sub);
                errors.add(ErrorText.subscriptionRemoved(sub.pattern, sub.queue, sub.sid));
                continue;
            }
            DenyFilter filter = permissions.denyFilter(sub.pattern, sub.queue);
            if (filter != null || sub.filter != null) {
                sub.filter = filter;
                sub.account.tree.invalidate(sub.pattern);
            }
        }
        return errors;
    }

    void forget(Sub sub) {
        if (bySid.remove(sub.sid, sub) && connection.trace != null) {
            connection.trace.ended(sub.sid);
        }
    }

    void removeAll() {
        removeFromGraph();
        bySid.clear();
    }

    /** Takes them out of the account's graph but remembers them. */
    void removeFromGraph() {
        for (Sub sub : bySid.values()) {
            removed(sub);
        }
    }

    /** A plain one whose pattern matches this literal subject, or null. */
    Sub plainMatch(LocalAccount account, String subject) {
        for (Sub sub : account.tree.match(subject).plain()) {
            if (Objects.equals(sub.connection, connection) && !sub.isShadow()) {
                return sub;
            }
        }
        return null;
    }

    int count() {
        return bySid.size();
    }

    Collection<Subscription> all() {
        return new ArrayList<>(bySid.values());
    }
}
