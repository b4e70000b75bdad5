package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.SPI;

/** Gives the engine clients that send over the node's links. Found by the engine through its service loader. */
@SPI(name = "penstock", priority = 100)
public final class LinkRpcFactory implements RaftRpcFactory {
    @Override
    public void registerProtobufSerializer(String className, Object... args) {
        // Messages are written by Rpc.
    }

    @Override
    public RpcClient createRpcClient(ConfigHelper<RpcClient> helper) {
        return new LinkRpcClient();
    }

    @Override
    public RpcServer createRpcServer(Endpoint endpoint, ConfigHelper<RpcServer> helper) {
        throw new UnsupportedOperationException("requests come in over the node's links");
    }
}
