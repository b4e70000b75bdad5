package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import com.alipay.sofa.jraft.entity.codec.LogEntryCodecFactory;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.SnapshotStorage;

/** Gives the engine the storages of one group. */
record GroupServices(LogStorage log, RaftMetaStorage meta, SnapshotStorage marks) implements JRaftServiceFactory {
    @Override
    public LogStorage createLogStorage(String uri, RaftOptions options) {
        return log;
    }

    @Override
    public SnapshotStorage createSnapshotStorage(NodeOptions options) {
        return marks;
    }

    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions options) {
        return meta;
    }

    @Override
    public LogEntryCodecFactory createLogEntryCodecFactory() {
        return LogEntryV2CodecFactory.getInstance();
    }
}
