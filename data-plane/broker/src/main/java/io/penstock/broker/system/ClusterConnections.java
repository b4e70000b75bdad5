package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.NodeDescription;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the other nodes' numbers of connections, so that an account's limits hold over the cluster. A node tells its
 * numbers at each change, again and again, and to each node that comes; those of a node that is gone count no more.
 */
final class ClusterConnections implements ClusterView.Listener {
    /** When to tell a new node: soon, and again when its interest has surely arrived. */
    private static final long[] TELL_AFTER_MILLIS = {100, 500, 2000};

    private final Broker broker;
    private final SystemEvents events;
    private final ScheduledExecutorService timer;

    /** Server ids of nodes by name: numbers of another process of that name are old. */
    private final Map<String, String> present = new ConcurrentHashMap<>();

    ClusterConnections(Broker broker, SystemEvents events, ScheduledExecutorService timer) {
        this.broker = broker;
        this.events = events;
        this.timer = timer;
    }

    void start(Account system) {
        var _ = system.subscribe("$SYS.ACCOUNT.*.SERVER.CONNS", null, message -> {
            if (message.connection() == null) {
                read(message.payload());
            }
            return 1;
        });
        broker.cluster().addListener(this);
    }

    private void read(byte[] body) {
        ObjectNode event = Json.parse(body);
        if (event == null) {
            return;
        }
        String node = event.path("server").path("name").asText("");
        String id = event.path("server").path("id").asText("");
        String name = event.path("acc").asText("");
        if (name.isEmpty() || id.equals(broker.identity().id()) || !id.equals(present.get(node))) {
            return;
        }
        Account account = broker.accounts().getOrCreate(name);
        account.setRemoteConnections(
                node, event.path("conns").asInt(), event.path("leafnodes").asInt());
    }

    @Override
    public void nodeUp(NodeDescription node) {
        String before = present.put(node.name(), node.serverId());
        if (node.serverId().equals(before)) {
            return;
        }
        forget(node.name());
        for (long millis : TELL_AFTER_MILLIS) {
            var _ = timer.schedule(events::publishAllConnections, millis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void nodeDown(String name, boolean refused) {
        present.remove(name);
        forget(name);
    }

    private void forget(String node) {
        broker.accounts().accounts().forEach(account -> account.setRemoteConnections(node, 0, 0));
    }
}
