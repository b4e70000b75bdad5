package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.google.protobuf.Message;
import io.penstock.consensus.link.PeerLinks;

/** Sends the engine's answer to a request back over the link. */
final class Replies implements RpcContext {
    /** For requests of this node to itself. */
    static final Replies NOBODY = new Replies(null);

    private final PeerLinks.Request request;

    /** Whether answers to appends say that they must not count. */
    private final boolean learns;

    Replies(PeerLinks.Request request) {
        this(request, false);
    }

    private Replies(PeerLinks.Request request, boolean learns) {
        this.request = request;
        this.learns = learns;
    }

    /** The answers of a replica that may have forgotten votes. */
    Replies learning() {
        return new Replies(request, true);
    }

    @Override
    public void sendResponse(Object response) {
        if (request == null) {
            return;
        }
        request.reply(
                learns && response instanceof AppendEntriesResponse append
                        ? Rpc.encodeLearned(append)
                        : Rpc.encode((Message) response));
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
