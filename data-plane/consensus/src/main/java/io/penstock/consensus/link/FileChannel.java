package io.penstock.consensus.link;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files over the links: a file is opened by name, then read in chunks by the number it got, one chunk asked for ahead.
 *
 * <p>Request: a zero byte and the name opens, a one and the number goes on. Answer: state byte (0 there is more, 1 that
 * was all, 2 no such file, 3 failed), number, bytes.
 */
final class FileChannel {
    private static final Logger LOG = LoggerFactory.getLogger(FileChannel.class);
    private static final String PREFIX = "file ";
    private static final int CHUNK_BYTES = 512 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long IDLE_NANOS = 60_000_000_000L;
    private static final byte MORE = 0;
    private static final byte LAST = 1;
    private static final byte MISSING = 2;
    private static final byte FAILED = 3;

    private static final class Opened {
        private final String peer;
        private final InputStream in;
        private volatile long used = System.nanoTime();

        Opened(String peer, InputStream in) {
            this.peer = peer;
            this.in = in;
        }
    }

    private final PeerLinks links;
    private final Map<String, PeerLinks.Files> served = new ConcurrentHashMap<>();
    private final Map<Long, Opened> opened = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final ExecutorService pool = Executors.newFixedThreadPool(
            2, Thread.ofPlatform().name("peer-files-", 0).daemon().factory());

    FileChannel(PeerLinks links) {
        this.links = links;
    }

    void serve(String channel, PeerLinks.Files files) {
        served.put(PREFIX + channel, files);
    }

    void close() {
        pool.shutdown();
        opened.values().forEach(FileChannel::closeQuietly);
        opened.clear();
    }

    void peerGone(String peer) {
        opened.values().removeIf(file -> {
            if (file.peer.equals(peer)) {
                closeQuietly(file);
                return true;
            }
            return false;
        });
    }

    /** Takes a request if the channel carries files. */
    boolean handle(String channel, PeerLinks.Request request) {
        PeerLinks.Files files = served.get(channel);
        if (files == null) {
            return false;
        }
        try {
            pool.execute(() -> answer(files, request));
        } catch (RejectedExecutionException e) {
            request.fail("this node stops");
        }
        return true;
    }

    private void answer(PeerLinks.Files files, PeerLinks.Request request) {
        closeIdle();
        byte[] asked = request.payload();
        try {
            long number;
            if (asked[0] == 0) {
                String name = new String(asked, 1, asked.length - 1, StandardCharsets.UTF_8);
                number = numbers.incrementAndGet();
                opened.put(number, new Opened(request.peer(), files.open(request.peer(), name)));
            } else {
                number = ByteBuffer.wrap(asked, 1, Long.BYTES).getLong();
            }
            request.reply(chunk(number));
        } catch (NoSuchFileException e) {
            request.reply(state(MISSING, String.valueOf(e.getMessage())));
        } catch (IOException | RuntimeException e) {
            request.reply(state(FAILED, e.toString()));
        }
    }

    private byte[] chunk(long number) throws IOException {
        Opened file = opened.get(number);
        if (file == null) {
            throw new IOException("the file was closed meanwhile");
        }
        file.used = System.nanoTime();
        byte[] answer = new byte[1 + Long.BYTES + CHUNK_BYTES];
        int read = file.in.readNBytes(answer, 1 + Long.BYTES, CHUNK_BYTES);
        boolean last = read < CHUNK_BYTES;
        if (last) {
            opened.remove(number);
            closeQuietly(file);
        }
        ByteBuffer.wrap(answer).put(last ? LAST : MORE).putLong(number);
        return last ? java.util.Arrays.copyOf(answer, 1 + Long.BYTES + read) : answer;
    }

    private static byte[] state(byte code, String message) {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Long.BYTES + text.length)
                .put(code)
                .putLong(0)
                .put(text)
                .array();
    }

    private void closeIdle() {
        long now = System.nanoTime();
        opened.values().removeIf(file -> {
            if (now - file.used > IDLE_NANOS) {
                closeQuietly(file);
                return true;
            }
            return false;
        });
    }

    private static void closeQuietly(Opened file) {
        try {
            file.in.close();
        } catch (IOException e) {
            LOG.debug("closing a file failed", e);
        }
    }

    InputStream fetch(String peer, String channel, String file) throws IOException {
        byte[] name = file.getBytes(StandardCharsets.UTF_8);
        byte[] request = new byte[1 + name.length];
        System.arraycopy(name, 0, request, 1, name.length);
        RemoteFile remote = new RemoteFile(peer, PREFIX + channel, file, request);
        remote.turn();
        return remote;
    }

    /** For one thread. */
    private final class RemoteFile extends InputStream {
        private final String peer;
        private final String channel;
        private final String file;
        private CompletableFuture<byte[]> coming;
        private ByteArrayInputStream present = new ByteArrayInputStream(LinkFrame.NOTHING);

        RemoteFile(String peer, String channel, String file, byte[] open) {
            this.peer = peer;
            this.channel = channel;
            this.file = file;
            this.coming = ask(open);
        }

        private CompletableFuture<byte[]> ask(byte[] request) {
            return links.request(peer, channel, request, PATIENCE).toCompletableFuture();
        }

        /** Makes the chunk asked for the present one and asks for the next. */
        private void turn() throws IOException {
            DataInputStream answer = new DataInputStream(new ByteArrayInputStream(await()));
            byte code = answer.readByte();
            long number = answer.readLong();
            byte[] rest = answer.readAllBytes();
            coming = null;
            switch (code) {
                case MORE ->
                    coming = ask(
                            ByteBuffer.allocate(9).put((byte) 1).putLong(number).array());
                case LAST -> {}
                case MISSING -> throw new NoSuchFileException(file);
                default ->
                    throw new IOException(
                            "reading " + file + " of " + peer + ": " + new String(rest, StandardCharsets.UTF_8));
            }
            present = new ByteArrayInputStream(rest);
        }

        private byte[] await() throws IOException {
            try {
                return coming.get(PATIENCE.toSeconds() + 5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while reading " + file + " of " + peer, e);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("reading " + file + " of " + peer + ": " + e.getMessage(), e);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            while (present.available() == 0) {
                if (coming == null) {
                    return -1;
                }
                turn();
            }
            return present.read(target, offset, length);
        }
    }
}
