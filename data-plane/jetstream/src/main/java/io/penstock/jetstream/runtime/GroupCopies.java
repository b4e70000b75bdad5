package io.penstock.jetstream.runtime;

import io.penstock.storage.store.StoreTransfer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** Copies over {@link Peers}: the leader makes a checkpoint, its files come in pieces. */
public final class GroupCopies implements Copies {
    private static final int PIECE = 1 << 20;
    private static final long PATIENCE_SECONDS = 60;

    private final StoreTransfer transfer;
    private final Parts parts;

    /** Runs what waits for disk and network. */
    private final Executor background;

    private final Engine engine;

    public GroupCopies(Engine engine, StoreTransfer transfer, Parts parts, Executor background) {
        this.engine = engine;
        this.transfer = transfer;
        this.parts = parts;
        this.background = background;
    }

    // --- target ---------------------------------------------------------------------------------------------------

    @Override
    public void fetch(long id, long index, BiConsumer<String, Exception> done) {
        String leader = engine.log().leader();
        if (leader.isEmpty() || engine.leading()) {
            engine.loop().execute(() -> done.accept(null, new IOException("no other replica leads")));
            return;
        }
        background.execute(() -> {
            String name = null;
            Exception failure = null;
            try {
                name = transfer.fetchOne(new Remote(leader, id, index));
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
            String fetched = name;
            Exception cause = failure;
            engine.loop().execute(() -> done.accept(fetched, cause));
        });
    }

    @Override
    public void install(String name) throws IOException {
        transfer.installOne(name);
    }

    private final class Remote implements StoreTransfer.Source {
        private final String leader;
        private final long id;
        private final long index;

        Remote(String leader, long id, long index) {
            this.leader = leader;
            this.id = id;
            this.index = index;
        }

        @Override
        public byte[] manifest() throws IOException {
            return ask(Exporter.question(Exporter.DESCRIBE, engine.group(), id, index));
        }

        @Override
        public InputStream open(String file) throws IOException {
            byte[] first = read(file, 0);
            if (first.length < PIECE) {
                return new ByteArrayInputStream(first);
            }
            return new Pieces(file, first);
        }

        private byte[] read(String file, long offset) throws IOException {
            byte[] answer = ask(Exporter.question(Exporter.READ, engine.group(), id, offset, file));
            if (answer.length == 0 || answer[0] != 1) {
                throw new NoSuchFileException(file);
            }
            return Arrays.copyOfRange(answer, 1, answer.length);
        }

        private byte[] ask(byte[] question) throws IOException {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            engine.loop().execute(() -> {
                var _ = engine.host().ask(leader, question).whenComplete((bytes, failure) -> {
                    if (failure == null) {
                        answer.complete(bytes);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
            });
            try {
                return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("node " + leader + " does not give the copy: " + e.getMessage(), e);
            }
        }

        /** A long file, piece by piece. */
        private final class Pieces extends InputStream {
            private final String file;
            private byte[] piece;
            private long offset;
            private int at;

            Pieces(String file, byte[] first) {
                this.file = file;
                this.piece = first;
            }

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int from, int length) throws IOException {
                if (at == piece.length) {
                    if (piece.length < PIECE) {
                        return -1;
                    }
                    offset += piece.length;
                    piece = Remote.this.read(file, offset);
                    at = 0;
                    if (piece.length == 0) {
                        return -1;
                    }
                }
                int count = Math.min(length, piece.length - at);
                System.arraycopy(piece, at, target, from, count);
                at += count;
                return count;
            }
        }
    }

    // --- source ---------------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<byte[]> describe(long id, long index) {
        if (engine.log().appliedIndex() < index) {
            return CompletableFuture.failedFuture(new IOException("not that far yet"));
        }
        boolean known = engine.streams().get(id) != null;
        return parts.round()
                .thenApplyAsync(
                        durable -> {
                            try {
                                if (!durable) {
                                    throw new IOException("no checkpoint came about");
                                }
                                byte[] manifest = transfer.manifest(id);
                                if (known && StoreTransfer.isEmpty(manifest)) {
                                    throw new IOException("the stream has no checkpoint yet");
                                }
                                return manifest;
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        background);
    }

    @Override
    public byte[] read(String file, long offset) throws IOException {
        try (InputStream in = transfer.open(file)) {
            in.skipNBytes(offset);
            byte[] piece = in.readNBytes(PIECE);
            byte[] answer = new byte[piece.length + 1];
            answer[0] = 1;
            System.arraycopy(piece, 0, answer, 1, piece.length);
            return answer;
        } catch (NoSuchFileException e) {
            return new byte[] {0};
        }
    }
}
