package io.penstock.broker.engine;

import io.penstock.broker.permission.DenyFilter;
import io.penstock.protocol.SubjectTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that is to be done with a message of one subject in one account, worked out once: denied subscriptions left
 * out, shadows' subjects rewritten.
 */
final class Route {
    private static final Hop[] NO_HOPS = {};
    private static final Hop[][] NO_GROUPS = {};
    static final Route NOWHERE = new Route(NO_HOPS, NO_GROUPS);

    final Hop[] plain;
    final Hop[][] groups;

    private Route(Hop[] plain, Hop[][] groups) {
        this.plain = plain;
        this.groups = groups;
    }

    /**
     * One delivery.
     *
     * @param subject what the receiver is shown, null for the message's own
     */
    record Hop(Sub sub, byte[] subject) {}

    static Route of(LocalAccount account, SubjectTree.Match<Sub> match, byte[] bytes, int offset, int length) {
        if (match.isEmpty()) {
            return NOWHERE;
        }
        String subject = new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        Hop[] plain = hops(account, match.plain(), subject);
        List<Hop[]> groups = new ArrayList<>(match.queues().length);
        for (Sub[] members : match.queues()) {
            Hop[] hops = hops(account, members, subject);
            if (hops.length > 0) {
                groups.add(hops);
            }
        }
        return new Route(plain, groups.toArray(NO_GROUPS));
    }

    private static Hop[] hops(LocalAccount account, Sub[] subs, String subject) {
        List<Hop> hops = new ArrayList<>(subs.length);
        for (Sub sub : subs) {
            DenyFilter filter = sub.filter;
            // The account check stands here although the graph is the account's own: it costs nothing per message.
            if (sub.account != account || (filter != null && filter.denies(subject))) {
                continue;
            }
            byte[] shown =
                    sub.rewrite == null ? null : sub.rewrite.rewrite(subject).getBytes(StandardCharsets.ISO_8859_1);
            hops.add(new Hop(sub, shown));
        }
        return hops.toArray(NO_HOPS);
    }
}
