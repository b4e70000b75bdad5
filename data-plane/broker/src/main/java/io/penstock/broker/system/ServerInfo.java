package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Broker;
import io.penstock.broker.ServerIdentity;
import java.time.InstantSource;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** The description of this server that stands in every event and reply. Safe from any thread. */
final class ServerInfo {
    private static final int FLAG_JETSTREAM = 1;
    private static final int FLAG_BINARY_SNAPSHOTS = 2;

    private final Broker broker;
    private final InstantSource clock;
    private final AtomicLong sequence = new AtomicLong();

    ServerInfo(Broker broker, InstantSource clock) {
        this.broker = broker;
        this.clock = clock;
    }

    ObjectNode next() {
        ServerIdentity identity = broker.identity();
        boolean jetStream = broker.options().jetStream();
        ObjectNode info = Json.object();
        info.put("name", identity.name());
        info.put("host", broker.options().host());
        info.put("id", identity.id());
        Json.putPresent(info, "cluster", identity.cluster());
        Json.putPresent(info, "domain", identity.domain());
        info.put("ver", identity.version());
        if (!broker.options().tags().isEmpty()) {
            ArrayNode tags = info.putArray("tags");
            broker.options().tags().forEach(tags::add);
        }
        if (!broker.options().metadata().isEmpty()) {
            ObjectNode metadata = info.putObject("metadata");
            new TreeMap<>(broker.options().metadata()).forEach(metadata::put);
        }
        info.put("jetstream", jetStream);
        info.put("flags", jetStream ? FLAG_JETSTREAM | FLAG_BINARY_SNAPSHOTS : 0);
        info.put("seq", sequence.incrementAndGet());
        Json.putTime(info, "time", clock.instant());
        return info;
    }
}
