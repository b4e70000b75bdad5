package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.route.RouteSnapshot;
import io.penstock.broker.route.RouteSnapshot.RouteInterest;
import io.penstock.protocol.Subjects;
import io.penstock.server.config.Durations;
import io.penstock.server.json.Nodes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** {@code /routez}: connections to the other nodes of the cluster. */
final class Routez implements Page {
    private final Source source;

    Routez(Source source) {
        this.source = source;
    }

    @Override
    public ObjectNode answer(Query query) throws PageException {
        Query.Subscriptions wanted = query.subscriptions();
        Instant now = source.clock().instant();
        List<RouteSnapshot> routes = source.broker().routes(wanted != Query.Subscriptions.COUNT);
        ObjectNode page = Nodes.object();
        page.put("server_id", source.broker().identity().id());
        page.put("server_name", source.broker().identity().name());
        page.put("now", now.toString());
        page.put("num_routes", routes.size());
        ArrayNode entries = page.putArray("routes");
        routes.forEach(route -> entries.add(entry(route, now, wanted)));
        return page;
    }

    private static ObjectNode entry(RouteSnapshot route, Instant now, Query.Subscriptions wanted) {
        ObjectNode entry = Nodes.object();
        entry.put("rid", route.id());
        entry.put("remote_id", route.remoteId());
        entry.put("remote_name", route.remoteName());
        entry.put("did_solicit", route.solicited());
        entry.put("is_configured", route.configured());
        entry.put("ip", route.host());
        entry.put("port", route.port());
        entry.put("start", route.started().toString());
        entry.put("last_activity", route.lastActivity().toString());
        if (route.roundTripNanos() > 0) {
            entry.put("rtt", Durations.format(Duration.ofNanos(route.roundTripNanos())));
        }
        entry.put("uptime", Spans.format(Duration.between(route.started(), now)));
        entry.put("idle", Spans.format(Duration.between(route.lastActivity(), now)));
        entry.put("pending_size", route.pendingBytes());
        entry.put("in_msgs", route.inMessages());
        entry.put("out_msgs", route.outMessages());
        entry.put("in_bytes", route.inBytes());
        entry.put("out_bytes", route.outBytes());
        entry.put("subscriptions", route.subscriptions());
        interest(entry, route, wanted);
        Nodes.textIfAny(entry, "account", route.account());
        entry.put("compression", route.compression());
        return entry;
    }

    private static void interest(ObjectNode entry, RouteSnapshot route, Query.Subscriptions wanted) {
        if (route.interest().isEmpty()) {
            return;
        }
        if (wanted == Query.Subscriptions.SUBJECTS) {
            ArrayNode names = entry.putArray("subscriptions_list");
            route.interest().forEach(one -> names.add(Subjects.toUtf8(one.pattern())));
        } else {
            ArrayNode details = entry.putArray("subscriptions_list_detail");
            route.interest().forEach(one -> details.add(detail(one, route.id())));
        }
    }

    private static ObjectNode detail(RouteInterest interest, long route) {
        ObjectNode node = Nodes.object();
        node.put("account", interest.account());
        node.put("subject", Subjects.toUtf8(interest.pattern()));
        if (interest.queue() != null) {
            node.put("qgroup", Subjects.toUtf8(interest.queue()));
        }
        node.put(
                "sid",
                interest.account() + " " + Subjects.toUtf8(interest.pattern())
                        + (interest.queue() == null ? "" : " " + Subjects.toUtf8(interest.queue())));
        node.put("msgs", 0);
        node.put("cid", route);
        return node;
    }
}
