package io.penstock.broker.engine;

import io.penstock.broker.permission.DenyFilter;
import io.penstock.protocol.SubjectTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a message to its receivers. Pure bookkeeping on the lane's thread; nothing is sent before the lane flushes. */
final class Router {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private Router() {}

    /** Routes a frame and gives the number of receivers. */
    static int route(Lane lane, Frame message) {
        return message.broken ? refuse(message) : deliverAll(lane, message, find(lane, message));
    }

    private static int refuse(Frame message) {
        LOG.warn("a message of account {} is dropped: its subject or reply has blanks", message.account.name());
        return 0;
    }

    private static Route find(Lane lane, Frame message) {
        LocalAccount account = message.account;
        AccountLane state = account.lane(lane);
        byte[] bytes = message.subjectBytes;
        int offset = message.subjectOffset;
        int length = message.subjectLength;
        state.lookups++;
        Route route = state.routes.get(account.tree, bytes, offset, length, message.subjectHash);
        if (route != null) {
            return route;
        }
        state.misses++;
        int subjectClass = SubjectTree.classOf(bytes, offset, length);
        long stamp = account.tree.stamp(subjectClass);
        route = Route.of(account, account.tree.match(bytes, offset, length), bytes, offset, length);
        state.routes.put(bytes, offset, length, message.subjectHash, subjectClass, stamp, route);
        state.fanoutMax = Math.max(state.fanoutMax, route.plain.length + route.groups.length + route.nodes.length);
        return route;
    }

    private static int deliverAll(Lane lane, Frame message, Route route) {
        int receivers = 0;
        for (Route.Hop hop : route.plain) {
            receivers += deliver(lane, message, hop);
        }
        if (route.groups.length > 0) {
            message.chosen = 0;
            for (Route.Group group : route.groups) {
                receivers += deliverToGroup(lane, message, group);
            }
        }
        // What came from another node has met everybody it has to meet: the other nodes were told by that one.
        return route.nodes.length == 0 || message.routed ? receivers : receivers + deliverToNodes(lane, message, route);
    }

    private static int deliverToGroup(Lane lane, Frame message, Route.Group group) {
        if (message.routed && !message.isFor(group.name)) {
            return 0;
        }
        int reached = group.here.length == 0 ? 0 : deliverToOne(lane, message, group.here);
        if (reached == 0 && !message.routed && group.elsewhere.length > 0) {
            message.choose(place(lane, group), group.name);
        }
        return reached;
    }

    /** Draws a node in proportion to its members. */
    private static int place(Lane lane, Route.Group group) {
        int drawn = lane.random(group.weight());
        int i = 0;
        while (drawn >= group.weights[i]) {
            i++;
        }
        return group.elsewhere[i];
    }

    private static int deliverToNodes(Lane lane, Frame message, Route route) {
        int reached = 0;
        // Everybody here has it already.
        if (message.publisher != null
                && OriginHeader.isWanted(message.subjectBytes, message.subjectOffset, message.subjectLength)) {
            message.tellOrigin();
        }
        int chosen = route.groups.length > 0 ? message.chosen : 0;
        for (int i = 0; i < route.nodes.length; i++) {
            Route.Node node = route.nodes[i];
            int queues = 0;
            for (int c = 0; c < chosen; c++) {
                queues += message.chosenNode[c] == i ? 1 : 0;
            }
            if ((node.plain() || queues > 0) && node.route().takesMore(lane, message)) {
                lane.outbox(node.route()).routed(message, node.route(), i, queues);
                RouteTrace trace = node.route().trace;
                if (trace != null) {
                    trace.routed(message, i, queues);
                }
                reached++;
            }
        }
        return reached;
    }

    private static int deliverToOne(Lane lane, Frame message, Route.Hop[] group) {
        int start = group.length == 1 ? 0 : lane.random(group.length);
        for (int i = 0; i < group.length; i++) {
            int index = start + i;
            int receivers = deliver(lane, message, group[index < group.length ? index : index - group.length]);
            if (receivers > 0) {
                return receivers;
            }
        }
        return 0;
    }

    private static int deliver(Lane lane, Frame message, Route.Hop hop) {
        Sub sub = hop.sub();
        ClientConnection receiver = sub.connection;
        if (receiver == null) {
            return deliverToFunction(lane, message, hop);
        }
        if (receiver == message.publisher && !receiver.echo && !message.forwarded) {
            return 0;
        }
        if (message.shown != null && isShownDenied(receiver, sub, message)) {
            return 0;
        }
        if (!receiver.takesMore(lane, message)) {
            return 0;
        }
        int leave = sub.claim(lane == receiver.lane);
        if (leave == 0) {
            return 0;
        }
        // What the server delivers on an inbox shows the subject it was stored under, through an import too.
        byte[] shown = message.shown != null ? message.shown : hop.subject();
        Outbox outbox = lane.outbox(receiver);
        if (shown == null) {
            outbox.message(message, sub, message.subjectBytes, message.subjectOffset, message.subjectLength);
        } else {
            outbox.message(message, sub, shown, 0, shown.length);
        }
        if (receiver.trace != null) {
            trace(receiver, message, sub, shown);
        }
        if (leave == 2) {
            sub.original.remove();
        }
        return 1;
    }

    private static void trace(ClientConnection receiver, Frame message, Sub sub, byte[] shown) {
        ProtocolTrace trace = receiver.trace;
        if (trace == null) {
            return;
        }
        if (shown == null) {
            trace.delivered(
                    message,
                    receiver.headers,
                    sub.sid,
                    message.subjectBytes,
                    message.subjectOffset,
                    message.subjectLength);
        } else {
            trace.delivered(message, receiver.headers, sub.sid, shown, 0, shown.length);
        }
    }

    private static boolean isShownDenied(ClientConnection receiver, Sub sub, Frame message) {
        DenyFilter filter = receiver.permissions().shownSubjectFilter(sub.queue);
        return filter != null && filter.denies(message.subject());
    }

    private static int deliverToFunction(Lane lane, Frame message, Route.Hop hop) {
        if (hop.sub().local && message.routed) {
            return 0;
        }
        int leave = hop.sub().claim(false);
        if (leave == 0) {
            return 0;
        }
        if (hop.subject() == null) {
            return call(hop.sub(), message);
        }
        Frame rewritten = lane.begin();
        if (rewritten == null) {
            return 0;
        }
        rewritten.copy(message);
        rewritten.shown = hop.subject();
        int receivers = call(hop.sub(), rewritten);
        lane.end(rewritten);
        return receivers;
    }

    private static int call(Sub sub, Frame message) {
        try {
            return sub.target.deliver(message);
        } catch (RuntimeException e) {
            LOG.error("a subscriber of the server failed for {} in account {}", sub.pattern, sub.account.name(), e);
            return 0;
        }
    }
}
