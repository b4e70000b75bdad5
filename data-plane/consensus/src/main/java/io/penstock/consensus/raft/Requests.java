package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import com.alipay.sofa.jraft.rpc.RpcRequestClosure;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.alipay.sofa.jraft.rpc.RpcResponseClosureAdapter;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.penstock.consensus.link.PeerLinks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the requests of other nodes to the engines. Appends are taken on the link's thread: in order, and two changes
 * of thread less. Votes wait for the disk and installations for a copy: those have threads of their own.
 */
final class Requests implements PeerLinks.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    /** The engine's groups by its own names for them. */
    private final Function<String, RaftLog> groups;

    private final Executor votes;

    /** Offers of leadership by group, in the order they came: who offers it asks afterwards what became of it. */
    private final Map<String, InOrder> takeovers = new ConcurrentHashMap<>();

    Requests(Function<String, RaftLog> groups, Executor votes) {
        this.groups = groups;
        this.votes = votes;
    }

    @Override
    public void handle(PeerLinks.Request request) {
        Message message;
        try {
            message = Rpc.decode(request.payload());
        } catch (InvalidProtocolBufferException e) {
            LOG.error("a request of {} cannot be read", request.peer(), e);
            request.fail("cannot be read: " + e.getMessage());
            return;
        }
        Replies replies = new Replies(request);
        switch (message) {
            case AppendEntriesRequest append -> append(append, replies);
            case RequestVoteRequest vote -> votes.execute(() -> vote(vote, replies));
            case TimeoutNowRequest now ->
                takeovers
                        .computeIfAbsent(now.getGroupId(), group -> new InOrder(votes))
                        .execute(() -> timeoutNow(now, replies));
            case ReadIndexRequest read -> votes.execute(() -> read(read, replies));
            case InstallSnapshotRequest install ->
                Thread.ofVirtual().name("raft-install").start(() -> install(install, replies));
            default -> request.fail("no request: " + message.getClass().getSimpleName());
        }
    }

    /** The engine of a group with its log; null once the caller was told that there is none. */
    private RaftLog find(String group, Replies replies) {
        RaftLog found = groups.apply(group);
        if (found == null || !(found.life().engine() instanceof NodeImpl)) {
            replies.sendResponse(ErrorResponse.newBuilder()
                    .setErrorCode(RaftError.ENOENT.getNumber())
                    .setErrorMsg("group " + group + " is not open here")
                    .build());
            return null;
        }
        return found;
    }

    private static void answer(Replies replies, Message answer) {
        if (answer != null) {
            replies.sendResponse(answer);
        }
    }

    private void append(AppendEntriesRequest append, Replies replies) {
        RaftLog group = find(append.getGroupId(), replies);
        if (group != null && group.life().engine() instanceof NodeImpl engine) {
            group.life().lease().sawTerm(append.getTerm());
            group.life().heardLeader(append.getCommittedIndex());
            Replies answers = group.life().mayVote() ? replies : replies.learning();
            answer(
                    answers,
                    engine.handleAppendEntriesRequest(
                            append, new RpcRequestClosure(answers, AppendEntriesResponse.getDefaultInstance())));
        }
    }

    private void vote(RequestVoteRequest vote, Replies replies) {
        RaftLog group = find(vote.getGroupId(), replies);
        if (group == null || !(group.life().engine() instanceof NodeImpl engine)) {
            return;
        }
        if (!group.life().mayVote()) {
            answer(replies, group.life().refusal());
        } else if (group.life().candidacy().breaksPromise(vote)) {
            answer(replies, group.life().refusal());
        } else if (vote.getPreVote()) {
            Message answer = engine.handlePreVoteRequest(vote);
            group.life().candidacy().asked(vote, answer);
            answer(replies, answer);
        } else {
            Message answer = engine.handleRequestVoteRequest(vote);
            answer(replies, answer);
            group.life().candidacy().asked(vote, answer);
        }
    }

    private void timeoutNow(TimeoutNowRequest now, Replies replies) {
        RaftLog group = find(now.getGroupId(), replies);
        if (group == null) {
            return;
        }
        if (Takeover.isQuestion(now)) {
            answer(replies, refusal(group.life().savedTerm()));
        } else if (group.life().engine() instanceof NodeImpl engine) {
            answer(
                    replies,
                    group.life().mayVote()
                            ? engine.handleTimeoutNowRequest(
                                    now, new RpcRequestClosure(replies, TimeoutNowResponse.getDefaultInstance()))
                            : refusal(now.getTerm()));
        }
    }

    private static Message refusal(long term) {
        return TimeoutNowResponse.newBuilder().setTerm(term).setSuccess(false).build();
    }

    private void install(InstallSnapshotRequest install, Replies replies) {
        RaftLog group = find(install.getGroupId(), replies);
        if (group != null && group.life().engine() instanceof NodeImpl engine) {
            answer(
                    replies,
                    engine.handleInstallSnapshot(
                            install, new RpcRequestClosure(replies, InstallSnapshotResponse.getDefaultInstance())));
        }
    }

    private void read(ReadIndexRequest read, Replies replies) {
        RaftLog group = find(read.getGroupId(), replies);
        if (group != null && group.life().engine() instanceof NodeImpl engine) {
            engine.handleReadIndexRequest(read, new RpcResponseClosureAdapter<ReadIndexResponse>() {
                @Override
                public void run(com.alipay.sofa.jraft.Status status) {
                    Message answer = getResponse() != null
                            ? getResponse()
                            : RaftRpcFactory.DEFAULT.newResponse(ReadIndexResponse.getDefaultInstance(), status);
                    replies.sendResponse(answer);
                }
            });
        }
    }
}
