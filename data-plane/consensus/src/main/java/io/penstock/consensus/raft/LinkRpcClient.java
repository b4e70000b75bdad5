package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.penstock.consensus.link.LinkException;
import io.penstock.consensus.link.PeerLinks;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One group's handle on the node's links. Never blocks: dialling is the links' own affair. */
final class LinkRpcClient implements RpcClient {
    private static final Logger LOG = LoggerFactory.getLogger(LinkRpcClient.class);

    private final Map<String, Follower> followers = new ConcurrentHashMap<>();
    private final Map<String, Tidings> tidings = new ConcurrentHashMap<>();
    private PeerLinks links;
    private GroupOptions options;
    private volatile ReplicatorGroup replicators;

    @Override
    public boolean init(RpcOptions given) {
        options = (GroupOptions) given;
        links = options.links();
        options.client(this);
        return true;
    }

    @Override
    public void shutdown() {
        replicators = null;
    }

    Follower follower(String node) {
        return followers.get(node);
    }

    ReplicatorGroup replicators() {
        return replicators;
    }

    /** A new leader knows nothing of the others yet. */
    void forgetFollowers() {
        followers.clear();
        tidings.clear();
    }

    @Override
    public boolean checkConnection(Endpoint endpoint) {
        return links.up(PeerNames.nodeOf(endpoint.getIp()));
    }

    @Override
    public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
        return checkConnection(endpoint);
    }

    @Override
    public void closeConnection(Endpoint endpoint) {
        // The link is shared: one group must not cut it for the others.
    }

    @Override
    public void registerConnectEventListener(ReplicatorGroup group) {
        replicators = group;
    }

    /** The engine asks only to learn whether there is a connection, with a lock held. */
    @Override
    public Object invokeSync(Endpoint endpoint, Object request, InvokeContext context, long timeoutMs)
            throws RemotingException {
        if (!checkConnection(endpoint)) {
            throw new RemotingException("no link to " + endpoint.getIp());
        }
        return ErrorResponse.newBuilder().setErrorCode(0).build();
    }

    @Override
    public void invokeAsync(
            Endpoint endpoint, Object request, InvokeContext context, InvokeCallback callback, long timeoutMs)
            throws RemotingException {
        String node = PeerNames.nodeOf(endpoint.getIp());
        if (!links.up(node)) {
            throw new RemotingException("no link to " + node);
        }
        AppendEntriesRequest append = request instanceof AppendEntriesRequest it ? it : null;
        long carries = append == null ? 0 : lastIndex(append);
        long term = append == null ? 0 : append.getTerm();
        // The engine's questions have data, its signs of life have none.
        boolean counts = append != null && (carries > 0 || !append.hasData());
        long sentAt = System.nanoTime();
        Takeover takeover = request instanceof TimeoutNowRequest offer ? options.offers(node, offer) : null;
        // Written here: the engine uses the buffer of the data again once it has an answer.
        byte[] payload = Rpc.encode(append == null ? (Message) request : tell(node, append, sentAt));
        // Answers to appends go on where they come in, the links' thread; others may force the disk.
        Executor executor = append == null ? callback.executor() : Runnable::run;
        Call call = new Call(executor, callback.executor());
        var _ = links.request(node, Rpc.CHANNEL, payload, Duration.ofMillis(timeoutMs))
                .whenComplete((answer, failure) -> run(call.executor(), () -> {
                    if (failure == null) {
                        answered(new Sent(node, term, sentAt, carries, counts), answer, callback);
                    } else {
                        failed(node, failure, carries, callback);
                    }
                }));
        call.returned = true;
        if (takeover != null) {
            takeover.ask();
        }
    }

    private AppendEntriesRequest tell(String node, AppendEntriesRequest append, long now) {
        return tidings.computeIfAbsent(node, key -> new Tidings(now)).pass(append, now);
    }

    /** The index of the last entry it carries, 0 when it carries none. */
    private static long lastIndex(AppendEntriesRequest append) {
        return append.getEntriesCount() == 0 ? 0 : append.getPrevLogIndex() + append.getEntriesCount();
    }

    /**
     * A request being made. The answer may be there before the callback is attached, and would then be taken on the
     * calling thread: the engine holds a lock there that is re-entrant, and enters the request in its books only later.
     */
    private static final class Call {
        private final Thread caller = Thread.currentThread();
        private final Executor usual;
        private final Executor elsewhere;

        /** Owned by the caller's thread. */
        private boolean returned;

        Call(Executor usual, Executor elsewhere) {
            this.usual = usual;
            this.elsewhere = elsewhere;
        }

        Executor executor() {
            return Thread.currentThread() == caller && !returned ? elsewhere : usual;
        }
    }

    private static void run(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("an answer comes after the group was closed");
        }
    }

    /**
     * What an append was when it was sent.
     *
     * @param carries the index of its last entry, 0 for none
     * @param counts whether success adds to a majority: of entries and signs of life, not of questions how far a log goes
     */
    private record Sent(String node, long term, long sentAt, long carries, boolean counts) {}

    private void answered(Sent sent, byte[] answer, InvokeCallback callback) {
        String node = sent.node();
        long carries = sent.carries();
        Message message;
        try {
            message = Rpc.decode(answer);
        } catch (InvalidProtocolBufferException e) {
            LOG.error("an answer of {} cannot be read", node, e);
            callback.complete(null, new RemotingException(e.toString()));
            return;
        }
        if (message instanceof AppendEntriesResponse response && Rpc.isLearned(answer) && !options.learns(node)) {
            learned(sent, response, callback);
            return;
        }
        if (message instanceof AppendEntriesResponse response) {
            // An answer to entries does not say how far its log goes.
            long now = System.nanoTime();
            if (response.getTerm() == sent.term()) {
                options.lease().acknowledged(node, sent.term(), sent.sentAt(), now);
            } else {
                options.lease().sawTerm(response.getTerm());
            }
            long index = response.getSuccess() ? Math.max(carries, response.getLastLogIndex()) : 0;
            followers.computeIfAbsent(node, key -> new Follower()).answered(now, index, carries > 0);
            callback.complete(message, null);
            if (carries > 0 && index > 0) {
                options.acknowledged(node);
            }
            return;
        }
        callback.complete(message, null);
    }

    /**
     * The answer of a voter that may have promised its vote to another leader and not know: what it has may be sent to it,
     * and that it has it counts towards no majority, nor is it a sign of life that a lease rests on.
     */
    private void learned(Sent sent, AppendEntriesResponse response, InvokeCallback callback) {
        if (response.getTerm() != sent.term()) {
            options.lease().sawTerm(response.getTerm());
        }
        if (response.getSuccess() && sent.counts()) {
            callback.complete(
                    null, new RemotingException(sent.node() + " has forgotten its votes and is to be taken in anew"));
        } else {
            callback.complete(response, null);
        }
    }

    private void failed(String node, Throwable failure, long carries, InvokeCallback callback) {
        boolean timeout = failure instanceof LinkException e && e.reason() == LinkException.Reason.TIMEOUT;
        if (timeout
                && carries > 0
                && followers.computeIfAbsent(node, key -> new Follower()).unanswered()) {
            options.stuck(node);
        }
        callback.complete(
                null,
                timeout
                        ? new InvokeTimeoutException(failure.getMessage())
                        : new RemotingException(failure.getMessage()));
    }
}
