package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.penstock.consensus.link.PeerLinks;
import java.time.Duration;

/**
 * A replica is asked to take over. Until it is known that it will not, the leader has no lease: it may stand for election
 * at any moment. So it is asked at once, and again, what became of that; questions are answered in the order in which they
 * were sent, and a term that has not changed means that it let the offer pass, or never got it.
 */
final class Takeover {
    /** The term of the question: no leader has it. */
    private static final long QUESTION = 0;

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 50;

    /** Runs a task later, on a thread that may wait. */
    interface Later {
        void run(long millis, Runnable task);
    }

    private final PeerLinks links;
    private final Lease lease;
    private final String node;
    private final long term;
    private final byte[] question;
    private final Later later;
    private final Runnable notTaken;
    private final long ticket;

    /**
     * Gives up the lease; to be called before the offer is sent.
     *
     * @param notTaken runs on a thread that may wait, once it is certain that nobody takes over because of this
     */
    Takeover(PeerLinks links, Lease lease, String node, TimeoutNowRequest offer, Later later, Runnable notTaken) {
        this.links = links;
        this.lease = lease;
        this.node = node;
        this.term = offer.getTerm();
        this.question = Rpc.encode(offer.toBuilder().setTerm(QUESTION).build());
        this.later = later;
        this.notTaken = notTaken;
        this.ticket = lease.handsOn(System.nanoTime());
    }

    /** Asks what became of the offer; to be called after it was sent, by whoever sent it. */
    void ask() {
        var _ = links.request(node, Rpc.CHANNEL, question, PATIENCE)
                .whenComplete((answer, failure) -> later.run(0, () -> answered(failure == null ? answer : null)));
    }

    /** Whether this is no offer but a question after one. */
    static boolean isQuestion(TimeoutNowRequest request) {
        return request.getTerm() == QUESTION;
    }

    private void answered(byte[] answer) {
        long now = System.nanoTime();
        if (!lease.waitsFor(ticket, now)) {
            return;
        }
        long its = answer == null ? Long.MIN_VALUE : term(answer);
        if (its == Long.MIN_VALUE) {
            later.run(PAUSE_MILLIS, this::ask);
        } else if (its > term) {
            lease.sawTerm(its);
        } else {
            lease.notTaken(ticket, now);
            notTaken.run();
        }
    }

    /** The term the replica has come to; 0 when it does not take part in the group. */
    private static long term(byte[] answer) {
        try {
            Message message = Rpc.decode(answer);
            return message instanceof TimeoutNowResponse response
                    ? response.getTerm()
                    : message instanceof ErrorResponse ? 0 : Long.MIN_VALUE;
        } catch (InvalidProtocolBufferException e) {
            return Long.MIN_VALUE;
        }
    }
}
