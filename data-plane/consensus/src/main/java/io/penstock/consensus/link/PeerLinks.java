package io.penstock.consensus.link;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The node's connections to the other nodes of its cluster, one a node, used by all groups and by whoever serves a
 * channel. Safe for use from any thread; nothing here blocks but {@link #fetch} and reading what it answers.
 */
public interface PeerLinks extends AutoCloseable {
    /** This node's name. */
    String self();

    /** The port others reach this node at. */
    int port();

    /** Where a peer is reached, from now on; it is called again whenever the link is down. */
    void peer(String name, String host, int port);

    /** Closes the link to a peer and calls it no more; what it calls us with is refused. */
    void forget(String name);

    /** Peers told with {@link #peer}. */
    Set<String> peers();

    /** Whether there is a link now. */
    boolean up(String name);

    /** Hears of links from now on, and at once of those that are up. */
    void addListener(Listener listener);

    /**
     * Answers the requests that come in on a channel.
     *
     * @param channel a name, at most 64 bytes; the same on all nodes
     */
    void serve(String channel, Handler handler);

    /** Gives files to peers by channel and name. */
    void serveFiles(String channel, Files files);

    /**
     * Asks a peer.
     *
     * @param payload not copied, must not change
     * @param patience how long to wait for the answer
     * @return completes on the link's thread, with the answer, or with a {@link LinkException} when the link is down,
     *     lost meanwhile or overloaded, the peer failed, or time ran out. That may be before the call has returned, so
     *     what is added to it may run at once, here
     */
    CompletionStage<byte[]> request(String peer, String channel, byte[] payload, Duration patience);

    /** Sends a request that wants no answer; false when the link is down or overloaded. */
    boolean send(String peer, String channel, byte[] payload);

    /**
     * Opens a file of a peer. Chunks are asked for as they are read.
     *
     * @throws java.nio.file.NoSuchFileException when the peer has none of this name
     * @throws IOException when it cannot be had
     */
    InputStream fetch(String peer, String channel, String file) throws IOException;

    @Override
    void close();

    /** Hears of links; on the link's thread, must not block. */
    interface Listener {
        void up(String peer);

        /** Nothing was heard of the peer for longer than it is ever silent. The link is there still. */
        default void silent(String peer) {}

        /** The link is gone; why is not known yet. */
        void down(String peer);

        /** Nobody listens where the peer did: its process is gone. Once after each {@link #down}. */
        void refused(String peer);
    }

    /** Serves a channel; on the link's thread, must not block. */
    @FunctionalInterface
    interface Handler {
        void handle(Request request);
    }

    /** A request of a peer. */
    interface Request {
        String peer();

        byte[] payload();

        /** Answers it, once; any thread. Nothing happens when no answer is wanted or the link is gone. */
        void reply(byte[] payload);

        /** Tells the peer that there is no answer, and why. */
        void fail(String reason);
    }

    /** Files that peers may fetch; called on a pool's thread. */
    @FunctionalInterface
    interface Files {
        /** @throws java.nio.file.NoSuchFileException when there is none of this name */
        InputStream open(String peer, String file) throws IOException;
    }
}
