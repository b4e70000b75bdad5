package io.penstock.broker.engine;

import io.penstock.broker.permission.DenyFilter;
import io.penstock.protocol.SubjectTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that is to be done with a message of one subject in one account, worked out once: denied subscriptions left
 * out, shadows' subjects rewritten, other nodes named once however much they want.
 */
final class Route {
    private static final Hop[] NO_HOPS = {};
    private static final Group[] NO_GROUPS = {};
    private static final Node[] NO_NODES = {};
    static final Route NOWHERE = new Route(NO_HOPS, NO_GROUPS, NO_NODES);

    final Hop[] plain;
    final Group[] groups;
    /** Other nodes that want it for themselves or for a queue group. */
    final Node[] nodes;

    private Route(Hop[] plain, Group[] groups, Node[] nodes) {
        this.plain = plain;
        this.groups = groups;
        this.nodes = nodes;
    }

    /**
     * One delivery.
     *
     * @param subject what the receiver is shown, null for the message's own
     */
    record Hop(Sub sub, byte[] subject) {}

    /**
     * Another node.
     *
     * @param plain whether it gets every message, and not only those of which a queue group's member is there
     */
    record Node(RouteConnection route, boolean plain) {}

    /** A queue group: members here, and other nodes with members. */
    static final class Group {
        final byte[] name;
        final Hop[] here;
        /** Places in {@link Route#nodes}. */
        final int[] elsewhere;
        /** Members there, summed up to and with each. */
        final int[] weights;

        Group(byte[] name, Hop[] here, int[] elsewhere, int[] weights) {
            this.name = name;
            this.here = here;
            this.elsewhere = elsewhere;
            this.weights = weights;
        }

        int weight() {
            return weights.length == 0 ? 0 : weights[weights.length - 1];
        }
    }

    static Route of(LocalAccount account, SubjectTree.Match<Sub> match, byte[] bytes, int offset, int length) {
        if (match.isEmpty()) {
            return NOWHERE;
        }
        String subject = new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        Builder builder = new Builder(account, subject);
        for (Sub sub : match.plain()) {
            builder.plain(sub);
        }
        for (Sub[] members : match.queues()) {
            for (Sub sub : members) {
                builder.member(sub);
            }
        }
        return builder.build();
    }

    /** Sorts subscriptions out. Groups of one name are one group, whatever their members' patterns. */
    private static final class Builder {
        private final LocalAccount account;
        private final String subject;
        private final List<Hop> plain = new ArrayList<>(4);
        private final List<RouteConnection> routes = new ArrayList<>(2);
        private final List<Boolean> wantsAll = new ArrayList<>(2);
        private final Map<String, List<Hop>> here = new LinkedHashMap<>();
        private final Map<String, int[]> elsewhere = new LinkedHashMap<>();

        Builder(LocalAccount account, String subject) {
            this.account = account;
            this.subject = subject;
        }

        void plain(Sub sub) {
            if (sub.isRemote()) {
                wantsAll.set(place(sub.route), true);
                return;
            }
            Hop hop = hop(sub);
            if (hop != null) {
                plain.add(hop);
            }
        }

        void member(Sub sub) {
            if (sub.isRemote()) {
                int place = place(sub.route);
                int[] weights = elsewhere.getOrDefault(sub.queue, new int[0]);
                int[] wider = java.util.Arrays.copyOf(weights, Math.max(weights.length, place + 1));
                wider[place] += sub.weight();
                elsewhere.put(sub.queue, wider);
                return;
            }
            Hop hop = hop(sub);
            if (hop != null) {
                here.computeIfAbsent(sub.queue, key -> new ArrayList<>(4)).add(hop);
            }
        }

        private Hop hop(Sub sub) {
            DenyFilter filter = sub.filter;
            // The account check stands here although the graph is the account's own: it costs nothing per message.
            if (sub.account != account || (filter != null && filter.denies(subject))) {
                return null;
            }
            byte[] shown =
                    sub.rewrite == null ? null : sub.rewrite.rewrite(subject).getBytes(StandardCharsets.ISO_8859_1);
            return new Hop(sub, shown);
        }

        /** One place a node, even while two connections to it are there at once. */
        private int place(RouteConnection route) {
            String node = route.remote().node().name();
            for (int i = 0; i < routes.size(); i++) {
                if (routes.get(i).remote().node().name().equals(node)) {
                    if (!route.isClosing()) {
                        routes.set(i, route);
                    }
                    return i;
                }
            }
            routes.add(route);
            wantsAll.add(false);
            return routes.size() - 1;
        }

        Route build() {
            Node[] nodes = routes.isEmpty() ? NO_NODES : new Node[routes.size()];
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = new Node(routes.get(i), wantsAll.get(i));
            }
            List<Group> groups = new ArrayList<>(here.size());
            here.forEach((name, hops) -> groups.add(group(name, hops, elsewhere.get(name))));
            elsewhere.forEach((name, weights) -> {
                if (!here.containsKey(name)) {
                    groups.add(group(name, List.of(), weights));
                }
            });
            return new Route(plain.toArray(NO_HOPS), groups.toArray(NO_GROUPS), nodes);
        }

        private static Group group(String name, List<Hop> hops, int[] byNode) {
            int count = 0;
            for (int i = 0; byNode != null && i < byNode.length; i++) {
                count += byNode[i] > 0 ? 1 : 0;
            }
            int[] places = new int[count];
            int[] sums = new int[count];
            int sum = 0;
            int at = 0;
            for (int i = 0; byNode != null && i < byNode.length; i++) {
                if (byNode[i] > 0) {
                    sum += byNode[i];
                    places[at] = i;
                    sums[at] = sum;
                    at++;
                }
            }
            return new Group(name.getBytes(StandardCharsets.ISO_8859_1), hops.toArray(NO_HOPS), places, sums);
        }
    }
}
