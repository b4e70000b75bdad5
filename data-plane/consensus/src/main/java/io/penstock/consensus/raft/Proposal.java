package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.error.RaftError;
import io.penstock.consensus.NotProposedException;

/** An entry proposed here, until its outcome is known. */
final class Proposal implements Closure {
    /** Hears of proposals that have no outcome; any thread. */
    interface Hearer {
        void failed(Proposal proposal, Throwable cause);
    }

    final byte[] data;
    final int length;
    final Object attachment;
    private final Hearer hearer;

    /** Owned by the loop: the outcome was told. */
    boolean settled;

    Proposal(byte[] data, int length, Object attachment, Hearer hearer) {
        this.data = data;
        this.length = length;
        this.attachment = attachment;
        this.hearer = hearer;
    }

    /** The engine's answer when it does not come to be applied here. */
    @Override
    public void run(Status status) {
        if (status.isOk()) {
            return;
        }
        boolean busy = status.getRaftError() == RaftError.EBUSY;
        hearer.failed(
                this,
                busy
                        ? new NotProposedException(status.getErrorMsg())
                        : new IllegalStateException("outcome unknown: " + status));
    }
}
