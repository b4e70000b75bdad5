package io.penstock.jetstream.backup;

import io.penstock.broker.internal.EventIds;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StoredMessage;
import java.io.IOException;
import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a backup of one stream: reads what was frozen, packs it, and publishes it chunk by chunk, as fast as the receiver
 * acknowledges. On a thread of its own; the loop only begins and ends it.
 */
public final class SnapshotRun {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotRun.class);
    private static final long ACK_SECONDS = 5;

    private static final long INTEREST_SECONDS = 2;
    private static final long LOOK_NANOS = 20_000_000L;

    private static final String GONE = "408 No Interest";
    private static final String SILENT = "408 No Flow Response";

    /** The receiver does not take part any more. */
    private static final class ReceiverException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        ReceiverException(String status) {
            super(status);
        }
    }

    private final AccountRuntime account;
    private final InternalClient client;
    private final String stream;
    private final String route;
    private final int chunk;
    private final FrozenMessages messages;

    /** State and consumers, which come before the messages. */
    private final List<ArchiveEntry> head;

    private final Semaphore slots;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final String acks;
    private long index = 1;

    /** Whether the receiver was seen to subscribe to just this subject. */
    private boolean subscribed;

    SnapshotRun(
            AccountRuntime account,
            String stream,
            SnapshotRequest request,
            FrozenMessages messages,
            List<ArchiveEntry> head) {
        this.account = account;
        this.client = account.client();
        this.stream = stream;
        this.route = Subjects.fromUtf8(request.deliverSubject());
        this.chunk = request.chunk();
        this.slots = new Semaphore(request.inFlight());
        this.messages = messages;
        this.head = head;
        this.acks = "$JS.SNAPSHOT.ACK." + Subjects.fromUtf8(stream) + "." + EventIds.next();
    }

    /** Begins; {@code done} hears on the loop why it failed, or null. */
    void start(Consumer<String> done) {
        InternalSubscription answers = client.subscribe(acks + ".>", message -> answered());
        Thread.ofPlatform().daemon().name("backup-" + stream).start(() -> {
            String failure = run();
            answers.close();
            account.host().loop().execute(() -> {
                messages.close();
                done.accept(failure);
                account.host().soon();
            });
        });
    }

    private void answered() {
        // More answers than chunks must not widen the window.
        int before = unanswered.getAndUpdate(n -> Math.max(0, n - 1));
        if (before > 0) {
            slots.release();
        }
    }

    /** Clients subscribe when they have the answer, and hear of what comes earlier on a subscription nobody reads. */
    private void awaitReceiver() throws ReceiverException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(INTEREST_SECONDS);
        while (!client.hasSubscription(route)) {
            if (System.nanoTime() - until > 0) {
                if (client.hasInterest(route)) {
                    return;
                }
                throw new ReceiverException(GONE);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        subscribed = true;
    }

    private boolean receiverGone() {
        return subscribed ? !client.hasSubscription(route) : !client.hasInterest(route);
    }

    private String run() {
        String failure = null;
        String status = "204";
        try {
            send();
        } catch (ReceiverException e) {
            failure = e.getMessage().substring(4).toLowerCase(Locale.ROOT);
            status = e.getMessage();
        } catch (IOException | RuntimeException e) {
            LOG.warn("backup of stream {} of account {} failed", stream, account.name(), e);
            failure = String.valueOf(e.getMessage()).replace('\r', ' ').replace('\n', ' ');
            status = "500 " + failure;
        }
        client.publish(route, null, Headers.status(status, ""), Headers.NONE);
        client.flush();
        return failure;
    }

    private void send() throws IOException {
        awaitReceiver();
        try (FrameOutput frames = new FrameOutput(new Chunks())) {
            ArchiveWriter archive = new ArchiveWriter(frames);
            for (ArchiveEntry entry : head) {
                archive.write(entry);
            }
            for (StoredMessage m = messages.next(); m != null; m = messages.next()) {
                archive.write(m);
            }
            archive.write(ArchiveEntry.END);
        } finally {
            messages.closeReader();
        }
    }

    private void publish(byte[] bytes) throws IOException {
        try {
            if (!slots.tryAcquire(ACK_SECONDS, TimeUnit.SECONDS)) {
                throw new ReceiverException(SILENT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (receiverGone()) {
            throw new ReceiverException(GONE);
        }
        unanswered.incrementAndGet();
        client.publish(route, acks + "." + bytes.length + "." + index++, Headers.NONE, bytes);
        client.flush();
    }

    /** Publishes what is written, chunk by chunk. */
    private final class Chunks extends BlockOutput {
        /** The receiver is gone: what is still written goes nowhere. */
        private boolean broken;

        Chunks() {
            super(chunk);
        }

        @Override
        byte[] take(byte[] bytes, int count) throws IOException {
            if (!broken) {
                broken = true;
                publish(count == chunk ? bytes : Arrays.copyOf(bytes, count));
                broken = false;
            }
            // What was published belongs to the connections.
            return new byte[chunk];
        }
    }
}
