package io.penstock.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Broker;
import io.penstock.broker.ServerIdentity;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.monitor.JetStreamSource;
import java.util.List;

final class JetStreamPart implements JetStreamSource {
    static JetStreamPart start(Broker broker, ServerIdentity identity, ServerOptions options) throws Node.FatalException {
        throw new Node.FatalException("Can't start JetStream: not built in yet");
    }
    void stop() {}
    void reload(ServerOptions options) {}
    @Override public ObjectNode varz() { return null; }
    @Override public ObjectNode jsz(Wanted wanted) { return null; }
    @Override public String problem() { return null; }
    @Override public boolean hasAccount(String account) { return false; }
    @Override public boolean hasStream(String account, String stream) { return false; }
    @Override public boolean hasConsumer(String account, String stream, String consumer) { return false; }
    @Override public Totals totals() { return null; }
    @Override public List<StreamFigures> streams() { return List.of(); }
}
