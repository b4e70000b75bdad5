package io.penstock.jetstream.backup;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.jetstream.runtime.Room;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.jetstream.JsError;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Takes the chunks of an archive and writes them to a file. Chunks come on the sender's event loop and wait for the thread
 * that writes; each is answered once it is written.
 */
final class Receiver {
    private static final long PATIENCE_SECONDS = 5;

    /** Chunks wait for their answers, so little is on its way; who sends without waiting is cut off. */
    private static final long MOST_WAITING = 64L << 20;

    /** What a chunk takes beside its bytes. */
    private static final int OVERHEAD = 128;

    private record Chunk(byte[] bytes, String reply) {}

    private final Room room;
    private final Consumer<String> acknowledge;

    /** Bytes of an archive, -1 for no limit. */
    private final long most;

    private final LinkedBlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
    private final AtomicLong waiting = new AtomicLong();

    /** Whether a chunk was dropped because too many were waiting. */
    private volatile boolean flooded;

    /** Bytes written. Written by the thread that writes, read by others. */
    private volatile long total;

    /** The reply of the chunk that has no answer yet. */
    private volatile String lastReply;

    Receiver(Room room, long most, Consumer<String> acknowledge) {
        this.room = room;
        this.most = most;
        this.acknowledge = acknowledge;
    }

    /** A chunk came. */
    void take(InboundMessage message) {
        int length = message.payloadLength();
        if (waiting.addAndGet(length + OVERHEAD) > MOST_WAITING) {
            waiting.addAndGet(-length - OVERHEAD);
            flooded = true;
            return;
        }
        byte[] bytes = length == 0 ? Headers.NONE : new byte[length];
        message.copyPayload(bytes, 0);
        chunks.add(new Chunk(bytes, message.reply()));
    }

    long total() {
        return total;
    }

    Room room() {
        return room;
    }

    /** Where the outcome goes; null when everybody was answered. */
    String lastReply() {
        return lastReply;
    }

    /** Writes chunks until the empty one that ends them. */
    void receive(Staging file, String stream) throws IOException, InterruptedException {
        try (OutputStream out = file.write()) {
            while (true) {
                Chunk chunk = chunks.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (chunk == null) {
                    throw new ArchiveException("restore for stream '" + stream + "' is stalled");
                }
                if (chunk.reply() == null) {
                    throw new ArchiveException(
                            "restore for stream '" + stream + "' requires reply subject for each chunk");
                }
                lastReply = chunk.reply();
                if (chunk.bytes().length == 0) {
                    return;
                }
                write(out, chunk);
            }
        }
    }

    private void write(OutputStream out, Chunk chunk) throws IOException {
        if (flooded) {
            throw new ArchiveException("chunks come faster than they are answered");
        }
        if (room.full() || (most >= 0 && total + chunk.bytes().length > most)) {
            throw JsError.STORAGE_RESOURCES_EXCEEDED.raise();
        }
        out.write(chunk.bytes());
        long written = total + chunk.bytes().length;
        total = written;
        waiting.addAndGet(-chunk.bytes().length - OVERHEAD);
        lastReply = null;
        acknowledge.accept(chunk.reply());
    }
}
