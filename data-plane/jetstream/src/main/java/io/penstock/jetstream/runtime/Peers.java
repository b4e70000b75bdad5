package io.penstock.jetstream.runtime;

import java.util.concurrent.CompletionStage;

/** The other nodes of the cluster, asked one by one. */
public interface Peers {
    /**
     * Asks a node, this one too; called on the loop.
     *
     * @return completes on any thread, exceptionally when the node cannot be reached or does not answer within seconds
     */
    CompletionStage<byte[]> ask(String node, byte[] request);
}
