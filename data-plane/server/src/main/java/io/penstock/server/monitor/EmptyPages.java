package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.json.Nodes;

/** Pages of gateways and leaf nodes, as a server that stands alone shows them. */
final class EmptyPages {
    private final Source source;

    EmptyPages(Source source) {
        this.source = source;
    }

    ObjectNode gateways(Query query) {
        ObjectNode page = start();
        page.putObject("outbound_gateways");
        page.putObject("inbound_gateways");
        return page;
    }

    ObjectNode leafNodes(Query query) {
        ObjectNode page = start();
        page.put("leafnodes", 0);
        page.putArray("leafs");
        return page;
    }

    private ObjectNode start() {
        ObjectNode page = Nodes.object();
        page.put("server_id", source.broker().identity().id());
        page.put("now", source.clock().instant().toString());
        return page;
    }
}
