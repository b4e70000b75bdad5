package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.LeaderChangeContext;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the engine calls, on its own threads; hands everything to the group's loop. One life of the engine. */
final class GroupMachine extends StateMachineAdapter {
    private static final int RUN = 256;

    private final RaftLog group;
    private final Delivery delivery;

    GroupMachine(RaftLog group, Delivery delivery) {
        this.group = group;
        this.delivery = delivery;
    }

    @Override
    public void onApply(Iterator iterator) {
        List<Delivery.Committed> run = new ArrayList<>();
        while (iterator.hasNext()) {
            ByteBuffer data = iterator.getData();
            Proposal proposal = iterator.done() instanceof Proposal own ? own : null;
            int length = data.remaining();
            run.add(new Delivery.Committed(iterator.getIndex(), EntryCodec.bytes(data), length, proposal));
            iterator.next();
            if (run.size() == RUN) {
                delivery.entries(run);
                run = new ArrayList<>();
            }
        }
        delivery.entries(run);
    }

    @Override
    public void onSnapshotSave(SnapshotWriter writer, Closure done) {
        long index = writer.getCurrentMeta().getLastIncludedIndex();
        delivery.event(() -> group.checkpointBegun(index, done));
    }

    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        return group.install((MarkStorage.Reader) reader);
    }

    @Override
    public void onLeaderStart(long term) {
        delivery.event(() -> group.leads(term));
    }

    @Override
    public void onLeaderStop(Status status) {
        delivery.event(() -> group.leadsNoMore(status));
    }

    @Override
    public void onStartFollowing(LeaderChangeContext context) {
        String leader = PeerNames.node(context.getLeaderId());
        delivery.event(() -> group.follows(leader, context.getTerm()));
    }

    @Override
    public void onStopFollowing(LeaderChangeContext context) {
        delivery.event(() -> group.followsNoMore(context.getTerm()));
    }

    @Override
    public void onError(RaftException error) {
        group.engineFailed(error.toString());
    }
}
