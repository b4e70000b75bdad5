package io.penstock.jetstream.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.runtime.Waiter;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.RestoredStream;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StreamConfig;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one stream in from an archive: gathers it in a file, verifies all of it, then puts it into the log piece by piece
 * as a stream nobody sees. Only when that is whole does it become a stream; otherwise it is removed. On a thread of its
 * own, which asks the loop for everything that is the loop's.
 */
final class RestoreRun {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreRun.class);
    private static final int PIECE = 256 << 10;
    private static final int IN_FLIGHT = 4;
    private static final long PAUSE_NANOS = 20_000_000L;

    /** The last record holds consumers and message ids. */
    private static final int MOST_END = 64 << 20;

    /** What the thread gives the loop in the end. */
    interface Ending {
        /** @param error null when the stream is there */
        void ended(ObjectNode info, ApiError error);
    }

    private final AccountRuntime account;
    private final Host host;
    private final RestoreTarget target;
    private final Receiver receiver;
    private final Staging file;
    private final Restores.Terms terms;
    private final Ending ending;

    /** The stream nobody sees; owned by the loop. */
    private StreamMachine hidden;

    RestoreRun(
            AccountRuntime account,
            RestoreTarget target,
            Receiver receiver,
            Staging file,
            Restores.Terms terms,
            Ending ending) {
        this.account = account;
        this.host = account.host();
        this.target = target;
        this.receiver = receiver;
        this.file = file;
        this.terms = terms;
        this.ending = ending;
    }

    void start() {
        Thread.ofPlatform().daemon().name("restore-" + target.config().name()).start(this::run);
    }

    /** A step that failed with an answer for the client. */
    private static final class RefusedException extends IOException {
        @java.io.Serial
        private static final long serialVersionUID = 1L;

        private final transient ApiError error;

        RefusedException(ApiError error) {
            super(error.description());
            this.error = error;
        }
    }

    /** Nobody knows whether the stream came to be: nothing is removed. */
    private static final class UnknownException extends IOException {
        @java.io.Serial
        private static final long serialVersionUID = 1L;

        UnknownException(Throwable cause) {
            super("nobody knows yet whether the stream is there, look for it: " + cause.getMessage(), cause);
        }
    }

    private void run() {
        String name = target.config().name();
        ObjectNode info = null;
        boolean keep = false;
        ApiError error;
        try {
            receiver.receive(file, account.name() + " > " + name);
            info = restore();
            error = null;
        } catch (UnknownException e) {
            keep = true;
            error = JsError.STREAM_RESTORE.of(e.getMessage());
        } catch (RefusedException e) {
            error = e.error;
        } catch (JsException e) {
            error = e.error();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            error = JsError.STREAM_RESTORE.of("interrupted");
        } catch (IOException | RuntimeException e) {
            LOG.warn("restore of stream {} of account {} failed: {}", name, account.name(), e.toString());
            error = JsError.STREAM_RESTORE.of(String.valueOf(e.getMessage()));
        }
        file.remove();
        ObjectNode shown = info;
        ApiError told = error;
        boolean remove = error != null && !keep;
        host.loop().execute(() -> {
            if (remove) {
                removeHidden();
            }
            ending.ended(shown, told);
            host.soon();
        });
    }

    private ObjectNode restore() throws IOException, InterruptedException {
        StreamConfig config = target.localConfig();
        Archive archive = new Archive(file::read);
        RestoredStream rest =
                new RestoredStream(account.name(), config, host.loop().now());
        archive.verify(config, rest, terms.rules(), terms.consumers(), RestoreRun::size);
        byte[] end = archive.end(rest, config);
        if (end.length > MOST_END) {
            throw new ArchiveException(
                    "consumers and message ids come to " + end.length + " bytes; the most is " + MOST_END);
        }
        create(archive, config);
        messages(archive);
        return complete(end);
    }

    /** As files count it, which is more than memory does. */
    private static long size(int subject, int headers, int payload) {
        return 30L + subject + payload + (headers > 0 ? 4 + headers : 0);
    }

    // --- steps, each waits for the loop ---------------------------------------------------------------------------

    private interface Step<T> {
        void run(CompletableFuture<T> done);
    }

    private <T> T onLoop(Step<T> step) throws IOException, InterruptedException {
        CompletableFuture<T> done = new CompletableFuture<>();
        host.loop().execute(() -> {
            try {
                step.run(done);
                host.soon();
            } catch (JsException e) {
                done.completeExceptionally(new RefusedException(e.error()));
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return outcome(done);
    }

    private static <T> T outcome(CompletableFuture<T> done) throws IOException, InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    private Engine engine() {
        Engine engine = host.engine(Host.SOLO);
        if (engine == null || !engine.leading() || !engine.writable()) {
            throw JsError.STORAGE_RESOURCES_EXCEEDED.raise();
        }
        return engine;
    }

    private void create(Archive archive, StreamConfig config) throws IOException, InterruptedException {
        StreamConfig bare = config.toBuilder().firstSeq(0).build();
        byte[] body = RestoredStream.creation(
                account.name(), JetStreamJson.write(bare), host.loop().now());
        onLoop(done -> {
            target.check(archive.bytes());
            engine().propose(RecordType.STREAM_CREATE, 0, body, new Waiter() {
                @Override
                public void applied(Object result) {
                    if (result instanceof StreamMachine machine) {
                        hidden = machine;
                        done.complete(null);
                    } else {
                        done.completeExceptionally(failure(result));
                    }
                }

                @Override
                public void unknown(Throwable cause) {
                    done.completeExceptionally(new IOException(cause.getMessage(), cause));
                }
            });
        });
    }

    private static IOException failure(Object result) {
        return result instanceof StreamSet.Refused refused
                ? new RefusedException(refused.error())
                : new IOException("the log took it for nothing: " + result);
    }

    private void messages(Archive archive) throws IOException, InterruptedException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        CompletableFuture<Void> broken = new CompletableFuture<>();
        ByteWriter piece = new ByteWriter(PIECE + (PIECE >>> 2));
        archive.messages(m -> {
            RestoredStream.addMessage(piece, m.sequence(), m.timestampNanos(), m.name(), m.body(), m.headersLength());
            if (piece.length() >= PIECE) {
                bring(piece.toBytes(), free, broken);
                piece.clear();
            }
        });
        if (piece.length() > 0) {
            bring(piece.toBytes(), free, broken);
        }
        free.acquire(IN_FLIGHT);
        if (broken.isDone()) {
            outcome(broken);
        }
    }

    private void bring(byte[] body, Semaphore free, CompletableFuture<Void> broken)
            throws IOException, InterruptedException {
        free.acquire();
        if (broken.isDone()) {
            outcome(broken);
        }
        while (receiver.room().behind()) {
            onLoop(done -> host.loop().schedule(PAUSE_NANOS, () -> done.complete(null)));
        }
        if (receiver.room().full()) {
            throw JsError.STORAGE_RESOURCES_EXCEEDED.raise();
        }
        host.loop().execute(() -> {
            Waiter waiter = new Waiter() {
                @Override
                public void applied(Object result) {
                    if (!Boolean.TRUE.equals(result)) {
                        broken.completeExceptionally(failure(result));
                    }
                    free.release();
                }

                @Override
                public void unknown(Throwable cause) {
                    broken.completeExceptionally(new IOException(cause.getMessage(), cause));
                    free.release();
                }
            };
            try {
                engine().propose(RecordType.IMPORT, hidden.id(), body, waiter);
            } catch (JsException e) {
                waiter.applied(new StreamSet.Refused(e.error()));
            }
        });
    }

    private ObjectNode complete(byte[] end) throws IOException, InterruptedException {
        return onLoop(done -> target.complete(hidden, end, new RestoreTarget.Outcome() {
            @Override
            public void done(ObjectNode info) {
                done.complete(info);
            }

            @Override
            public void refused(ApiError error) {
                done.completeExceptionally(new RefusedException(error));
            }

            @Override
            public void unknown(Throwable cause) {
                done.completeExceptionally(new UnknownException(cause));
            }
        }));
    }

    /** What was brought in is of no use; on the loop. */
    private void removeHidden() {
        Engine engine = host.engine(Host.SOLO);
        boolean there = hidden != null && engine != null && engine.streams().get(hidden.id()) == hidden;
        if (there && hidden.generation() == 0 && engine.writable()) {
            engine.propose(RecordType.STREAM_DELETE, hidden.id(), new byte[0], Waiter.NOBODY);
        }
    }
}
