package io.penstock.broker.engine;

import io.penstock.broker.route.RouteAddress;
import io.penstock.broker.route.RouteInfo;
import io.penstock.broker.route.RouteSlots;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Another node and the connections to it. Changed by the mesh's thread alone; the connections are read by all. */
final class RemoteNode {
    private static final long PROBE_MILLIS = 1000;

    final String id;
    final String name;
    final RouteSlots slots;
    private final AtomicReferenceArray<RouteConnection> connections;

    /** What it said last; the mesh's thread. */
    RouteInfo info;

    /** Where others can dial it; null when that is not known. The mesh's thread. */
    RouteAddress address;

    /** Whether listeners were told of it; the mesh's thread. */
    boolean announced;

    RemoteNode(RouteInfo info, RouteSlots slots) {
        this.id = info.node().serverId();
        this.name = info.node().name();
        this.info = info;
        this.slots = slots;
        this.connections = new AtomicReferenceArray<>(slots.count());
    }

    RouteConnection at(int slot) {
        return connections.get(slot);
    }

    void set(int slot, RouteConnection connection) {
        connections.set(slot, connection);
    }

    boolean isComplete() {
        return open().size() == slots.count();
    }

    boolean isEmpty() {
        return open().isEmpty();
    }

    /** Asks on each connection whether anybody is there, and closes those on which nobody answers in time. */
    void probe() {
        for (RouteConnection connection : open()) {
            connection.onLoop(() -> {
                long asked = System.nanoTime();
                connection.session.probe();
                var _ = connection.lane.loop.schedule(
                        () -> {
                            if (connection.lastHeard() - asked < 0) {
                                connection.stale();
                            }
                        },
                        PROBE_MILLIS,
                        TimeUnit.MILLISECONDS);
            });
        }
    }

    List<RouteConnection> open() {
        List<RouteConnection> open = new ArrayList<>(slots.count());
        for (int i = 0; i < slots.count(); i++) {
            RouteConnection connection = connections.get(i);
            if (connection != null) {
                open.add(connection);
            }
        }
        return open;
    }
}
