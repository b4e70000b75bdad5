package io.penstock.jetstream.runtime;

import io.penstock.consensus.Snapshots;
import io.penstock.storage.store.StoreTransfer;
import java.io.IOException;
import java.io.InputStream;

/** A group's streams on their way to a replica that is behind the log: the files of their checkpoints. */
public final class GroupSnapshots implements Snapshots {
    private final StoreTransfer transfer;

    /** Owned by the loop. */
    private Engine engine;

    public GroupSnapshots(StoreTransfer transfer) {
        this.transfer = transfer;
    }

    /** The engine whose streams these are; before its log is started. */
    public void of(Engine owner) {
        engine = owner;
    }

    @Override
    public byte[] manifest() throws IOException {
        return transfer.manifest();
    }

    @Override
    public InputStream open(String file) throws IOException {
        return transfer.open(file);
    }

    @Override
    public Staged fetch(Fetcher fetcher) throws IOException {
        transfer.fetch(new StoreTransfer.Source() {
            @Override
            public byte[] manifest() throws IOException {
                return fetcher.manifest();
            }

            @Override
            public InputStream open(String file) throws IOException {
                return fetcher.open(file);
            }
        });
        return new Copy();
    }

    private final class Copy implements Staged {
        @Override
        public void install(long index) throws IOException {
            engine.replaceStreams(transfer::install);
        }

        @Override
        public void discard() {
            try {
                transfer.discard();
            } catch (IOException e) {
                // The next copy, or the next start, removes it.
                engine.warn("a copy that is not needed cannot be removed", e);
            }
        }
    }
}
