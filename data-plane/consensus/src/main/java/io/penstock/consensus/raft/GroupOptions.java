package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import io.penstock.consensus.link.PeerLinks;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The engine's options of one group; they carry what its client needs, so that a JVM can hold several nodes. */
final class GroupOptions extends NodeOptions {
    private final PeerLinks links;
    private final Lease lease;
    private final Consumer<String> stuck;
    private final Consumer<String> acknowledged;
    private final BiFunction<String, TimeoutNowRequest, Takeover> offers;
    private final Predicate<String> learns;
    private volatile LinkRpcClient client;

    GroupOptions(
            PeerLinks links,
            Lease lease,
            Consumer<String> stuck,
            Consumer<String> acknowledged,
            BiFunction<String, TimeoutNowRequest, Takeover> offers,
            Predicate<String> learns) {
        this.links = links;
        this.lease = lease;
        this.stuck = stuck;
        this.acknowledged = acknowledged;
        this.offers = offers;
        this.learns = learns;
    }

    PeerLinks links() {
        return links;
    }

    Lease lease() {
        return lease;
    }

    /** Appends to this node have no answers though it lives. */
    void stuck(String node) {
        stuck.accept(node);
    }

    /** This node has taken the entries it was sent. */
    void acknowledged(String node) {
        acknowledged.accept(node);
    }

    /** This node is about to be asked to take over. */
    Takeover offers(String node, TimeoutNowRequest offer) {
        return offers.apply(node, offer);
    }

    /** Whether this node is a learner: what it acknowledges counts towards no majority. */
    boolean learns(String node) {
        return learns.test(node);
    }

    void client(LinkRpcClient made) {
        client = made;
    }

    /** The group's client, null before the engine has made it. */
    LinkRpcClient client() {
        return client;
    }
}
