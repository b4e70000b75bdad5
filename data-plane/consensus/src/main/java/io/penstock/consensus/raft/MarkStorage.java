package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.option.SnapshotCopierOptions;
import com.alipay.sofa.jraft.storage.SnapshotStorage;
import com.alipay.sofa.jraft.storage.SnapshotThrottle;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.penstock.consensus.Snapshots;
import io.penstock.storage.StorageException;
import java.io.IOException;
import java.util.Base64;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's snapshots of one group. What it calls a snapshot is only a mark here: up to which entry the state
 * machine's checkpoints go, with term and members. The state itself is the state machine's, fetched from a node by its
 * {@link Snapshots}.
 */
final class MarkStorage implements SnapshotStorage {
    private static final Logger LOG = LoggerFactory.getLogger(MarkStorage.class);

    private final SmallFile file;
    private final String self;
    private final Copies copies;
    private volatile SnapshotMeta last;

    /** Makes a copy of another node's state beside the present one; blocks. */
    @FunctionalInterface
    interface Copies {
        Snapshots.Staged copy(String node) throws IOException;
    }

    MarkStorage(SmallFile file, String self, Copies copies) {
        this.file = file;
        this.self = self;
        this.copies = copies;
    }

    /** Reads the mark. */
    void load() {
        try {
            byte[] content = file.read();
            last = content == null ? null : SnapshotMeta.parseFrom(content);
        } catch (IOException e) {
            throw new StorageException("cannot read the mark of the last checkpoint: " + e.getMessage(), e);
        }
    }

    /** The last mark, null when there is none. */
    SnapshotMeta last() {
        return last;
    }

    long lastIndex() {
        SnapshotMeta present = last;
        return present == null ? 0 : present.getLastIncludedIndex();
    }

    void save(SnapshotMeta meta) throws IOException {
        file.write(meta.toByteArray());
        last = meta;
    }

    @Override
    public boolean init(Void nothing) {
        return true;
    }

    @Override
    public void shutdown() {
        // Nothing is held.
    }

    @Override
    public boolean setFilterBeforeCopyRemote() {
        return false;
    }

    @Override
    public void setSnapshotThrottle(SnapshotThrottle throttle) {
        // The link's backlog is the throttle.
    }

    @Override
    public SnapshotWriter create() {
        return new Writer();
    }

    @Override
    public SnapshotReader open() {
        SnapshotMeta present = last;
        return present == null ? null : new Reader(present, self, null);
    }

    @Override
    public SnapshotReader copyFrom(String uri, SnapshotCopierOptions options) {
        throw new UnsupportedOperationException("the engine copies with startToCopyFrom");
    }

    @Override
    public SnapshotCopier startToCopyFrom(String uri, SnapshotCopierOptions options) {
        String[] parts = uri.split(" ");
        try {
            SnapshotMeta meta = SnapshotMeta.parseFrom(Base64.getDecoder().decode(parts[1]));
            Copier copier = new Copier(PeerNames.decode(parts[0]), meta);
            copier.start();
            return copier;
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            LOG.error("an installation with an address that is none of ours: {}", uri, e);
            return null;
        }
    }

    private final class Writer extends SnapshotWriter {
        private SnapshotMeta meta;

        @Override
        public boolean init(Void nothing) {
            return true;
        }

        @Override
        public void shutdown() {
            // Nothing is held.
        }

        @Override
        public boolean saveMeta(SnapshotMeta saved) {
            meta = saved;
            return true;
        }

        @Override
        public void close() throws IOException {
            if (!isOk() || meta == null) {
                return;
            }
            try {
                save(meta);
            } catch (IOException e) {
                // As an error of the disk it would end the group; the next checkpoint tries again.
                LOG.error("the mark of a checkpoint cannot be written: {}", e.getMessage());
                setError(RaftError.EINTERNAL, "%s", e.getMessage());
                throw e;
            }
        }

        @Override
        public void close(boolean keepDataOnError) throws IOException {
            close();
        }

        @Override
        public boolean addFile(String fileName, Message fileMeta) {
            return true;
        }

        @Override
        public boolean removeFile(String fileName) {
            return true;
        }

        @Override
        public String getPath() {
            return "";
        }

        @Override
        public Set<String> listFiles() {
            return Set.of();
        }

        @Override
        public Message getFileMeta(String fileName) {
            return null;
        }
    }

    /** A mark to read: of this node's own state, or of one that was fetched and waits to be installed. */
    static final class Reader extends SnapshotReader {
        private final SnapshotMeta meta;
        private final String node;
        private Snapshots.Staged staged;

        Reader(SnapshotMeta meta, String node, Snapshots.Staged staged) {
            this.meta = meta;
            this.node = node;
            this.staged = staged;
        }

        /** What was fetched, for the caller to install; null when the state is this node's own. */
        synchronized Snapshots.Staged take() {
            Snapshots.Staged taken = staged;
            staged = null;
            return taken;
        }

        @Override
        public boolean init(Void nothing) {
            return true;
        }

        @Override
        public void shutdown() {
            close();
        }

        @Override
        public SnapshotMeta load() {
            return meta;
        }

        @Override
        public String generateURIForCopy() {
            return PeerNames.encode(node) + " " + Base64.getEncoder().encodeToString(meta.toByteArray());
        }

        @Override
        public void close() {
            Snapshots.Staged unused = take();
            if (unused != null) {
                unused.discard();
            }
        }

        @Override
        public String getPath() {
            return "";
        }

        @Override
        public Set<String> listFiles() {
            return Set.of();
        }

        @Override
        public Message getFileMeta(String fileName) {
            return null;
        }
    }

    private final class Copier extends SnapshotCopier {
        private final String source;
        private final SnapshotMeta meta;
        private final Thread thread;
        private volatile Reader reader;

        Copier(String source, SnapshotMeta meta) {
            this.source = source;
            this.meta = meta;
            this.thread = Thread.ofPlatform().name("raft-copy").daemon().unstarted(this::run);
        }

        private void run() {
            try {
                reader = new Reader(meta, source, copies.copy(source));
            } catch (IOException | RuntimeException e) {
                LOG.warn("a copy of {} failed: {}", source, e.toString());
                // Never EIO: the engine would take it for a failure of this node's disk and end the group.
                setError(RaftError.EINTERNAL, "%s", e.toString());
            }
        }

        @Override
        public void start() {
            thread.start();
        }

        @Override
        public void cancel() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }

        @Override
        public SnapshotReader getReader() {
            return reader;
        }

        @Override
        public void close() {
            // The reader is handed on.
        }
    }
}
