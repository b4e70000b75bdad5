package io.penstock.broker.engine;

import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.NodeDescription;
import java.util.Map;

/** The view of a node that stands alone. */
record NoCluster(NodeDescription self) implements ClusterView {
    @Override
    public Map<String, NodeDescription> nodes() {
        return Map.of();
    }

    @Override
    public int expectedNodes() {
        return 1;
    }

    @Override
    public void addListener(Listener listener) {}
}
