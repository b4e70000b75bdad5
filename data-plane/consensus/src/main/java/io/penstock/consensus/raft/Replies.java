package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.google.protobuf.Message;
import io.penstock.consensus.link.PeerLinks;

/** Sends the engine's answer to a request back over the link. */
final class Replies implements RpcContext {
    /** For requests of this node to itself. */
    static final Replies NOBODY = new Replies(null);

    private final PeerLinks.Request request;

    Replies(PeerLinks.Request request) {
        this.request = request;
    }

    @Override
    public void sendResponse(Object response) {
        if (request != null) {
            request.reply(Rpc.encode((Message) response));
        }
    }

    @Override
    public Connection getConnection() {
        return null;
    }

    @Override
    public String getRemoteAddress() {
        return request == null ? "" : request.peer();
    }
}
