package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.json.Nodes;

/** {@code /jsz}: JetStream, down to each consumer when asked. */
final class Jsz implements Page {
    private final Source source;

    Jsz(Source source) {
        this.source = source;
    }

    @Override
    public ObjectNode answer(Query query) throws PageException {
        boolean consumers = query.flag("consumers", "consumer");
        boolean direct = query.flag("direct-consumers", "direct_consumer");
        boolean streams = query.flag("streams", "streams") || consumers || direct;
        String account = query.text("acc", "account");
        boolean accounts = query.flag("accounts", "accounts") || streams || !account.isEmpty();
        boolean configuration = query.flag("config", "config");
        boolean raft = query.flag("raft", "raft");
        boolean leaderOnly = query.flag("leader-only", "leader_only");
        boolean led = query.flag("stream-leader-only", "stream_leader_only");
        Paging paging = Paging.of(query);

        JetStreamSource jetStream = source.jetStream();
        if (leaderOnly && (jetStream == null || !jetStream.leadsMetadata())) {
            throw PageException.elsewhere(400, "not leader");
        }
        ObjectNode page = jetStream == null
                ? disabled()
                : jetStream.jsz(new JetStreamSource.Wanted(
                        account,
                        accounts,
                        streams,
                        consumers,
                        direct,
                        configuration,
                        raft,
                        led,
                        paging.offset(),
                        paging.limit()));
        return withServer(page);
    }

    /** Server id and time stand behind the figures of the API. */
    private ObjectNode withServer(ObjectNode page) {
        ObjectNode whole = Nodes.object();
        page.properties().forEach(entry -> {
            whole.set(entry.getKey(), entry.getValue());
            if (entry.getKey().equals("api")) {
                whole.put("server_id", source.broker().identity().id());
                whole.put("now", source.clock().instant().toString());
            }
        });
        return whole;
    }

    private static ObjectNode disabled() {
        ObjectNode page = Nodes.object();
        for (String name : new String[] {"memory", "storage", "reserved_memory", "reserved_storage", "accounts"}) {
            page.put(name, 0);
        }
        page.put("ha_assets", 0);
        page.putObject("api").put("level", 0).put("total", 0).put("errors", 0);
        page.put("disabled", true);
        page.putObject("config").put("max_memory", 0).put("max_storage", 0);
        for (String name : new String[] {"streams", "consumers", "messages", "bytes", "total"}) {
            page.put(name, 0);
        }
        return page;
    }
}
