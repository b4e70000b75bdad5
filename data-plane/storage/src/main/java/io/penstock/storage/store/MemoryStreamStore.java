package io.penstock.storage.store;

import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** The messages of a stream in memory. A checkpoint writes nothing: after a restart the stream is empty. */
public final class MemoryStreamStore extends BlockStore {
    private static final int MESSAGES_PER_BLOCK = 4096;
    private static final int MESSAGE_OVERHEAD = 16;

    private long checkpointIndex;
    private byte[] attachment = {};

    public MemoryStreamStore() {
        this(StoreOptions.DEFAULT);
    }

    MemoryStreamStore(StoreOptions options) {
        super(options.listedMessages());
    }

    @Override
    public long sizeOf(int subjectLength, int headersLength, int payloadLength) {
        return (long) MESSAGE_OVERHEAD + subjectLength + headersLength + payloadLength;
    }

    @Override
    Block blockFor(long sequence, int subjectLength, int bodyLength) {
        Block newest = blocks.isEmpty() ? null : blocks.getLast();
        if (newest == null || !takesMore(newest) || sequence - newest.base >= Block.MAX_SPAN) {
            newest = new MemoryBlock(sequence, lastTimestamp);
            blocks.add(newest);
        }
        return newest;
    }

    @Override
    boolean takesMore(Block block) {
        return block.count < MESSAGES_PER_BLOCK && block == blocks.getLast();
    }

    @Override
    void keep(
            Block block,
            long sequence,
            long timestampNanos,
            Subject subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength) {
        byte[] headers = Arrays.copyOfRange(source, headersOffset, headersOffset + headersLength);
        byte[] payload = Arrays.copyOfRange(source, payloadOffset, payloadOffset + payloadLength);
        ((MemoryBlock) block).put(new StoredMessage(sequence, timestampNanos, subject.name, headers, payload));
    }

    @Override
    void dropped(Block block) {}

    @Override
    public long checkpointIndex() {
        return checkpointIndex;
    }

    @Override
    public byte[] checkpointAttachment() {
        return attachment;
    }

    @Override
    public Checkpoint beginCheckpoint(long appliedIndex, byte[] newAttachment) {
        clean();
        checkpointIndex = appliedIndex;
        attachment = newAttachment;
        return () -> {};
    }

    @Override
    public FrozenMessages freeze() {
        List<StoredMessage[]> parts = new ArrayList<>();
        blocks.forEach(block -> parts.add(Arrays.copyOf(((MemoryBlock) block).messages, block.count)));
        StreamState frozen = state();
        Iterator<StoredMessage> held =
                parts.stream().flatMap(Arrays::stream).filter(Objects::nonNull).iterator();
        return new FrozenMessages() {
            @Override
            public StreamState state() {
                return frozen;
            }

            @Override
            public StoredMessage next() {
                return held.hasNext() ? held.next() : null;
            }

            @Override
            public void close() {
                // Nothing is kept but what the reader itself refers to.
            }
        };
    }

    @Override
    public void delete() {
        blocks.clear();
        subjects.clear();
    }

    @Override
    public void close() {}

    private static final class MemoryBlock extends Block {
        private StoredMessage[] messages = new StoredMessage[16];

        MemoryBlock(long base, long timestampNanos) {
            super(base);
            lastTimestamp = timestampNanos;
        }

        void put(StoredMessage message) {
            if (count == messages.length) {
                messages = Arrays.copyOf(messages, count * 2);
            }
            messages[count] = message;
        }

        @Override
        long sizeAt(int ordinal) {
            StoredMessage message = messages[ordinal];
            return (long) MESSAGE_OVERHEAD
                    + message.subject().length()
                    + message.headers().length
                    + message.payload().length;
        }

        /** Deleted messages are gone with their times; any time between their neighbours' will do. */
        @Override
        long timestampAt(int ordinal) {
            for (int i = ordinal; i < count; i++) {
                if (messages[i] != null) {
                    return messages[i].timestampNanos();
                }
            }
            return lastTimestamp;
        }

        @Override
        StoredMessage messageAt(int ordinal) {
            return messages[ordinal];
        }

        @Override
        void erase(int ordinal) {
            Arrays.fill(messages[ordinal].payload(), (byte) 0);
        }

        @Override
        void onDeleted(int ordinal) {
            messages[ordinal] = null;
        }
    }
}
