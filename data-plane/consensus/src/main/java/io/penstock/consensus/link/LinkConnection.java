package io.penstock.consensus.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.penstock.consensus.link.LinkFrame.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection to a peer: greets, then carries frames. State belongs to the link's thread; {@link #send} may be
 * called from any.
 */
final class LinkConnection extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(LinkConnection.class);

    private static final long GREETING_MILLIS = 4_000;

    /** What becomes of a connection; on the link's thread. */
    interface Owner {
        /** This node's greeting for a new connection. */
        Handshake.Hello greeting();

        String secret();

        /** Whether the caller may come in: null, or why not. */
        String judge(LinkConnection connection, Handshake.Hello caller);

        /** The peer is who it says, and both sides are ready. */
        void established(LinkConnection connection);

        void received(LinkConnection connection, LinkFrame frame);

        void closed(LinkConnection connection, String reason);
    }

    private enum Stage {
        /** Waits for the other side's greeting. */
        GREETING,
        /** The called side waits for the caller's proof. */
        PROVING,
        /** The caller waits to be let in. */
        WAITING,
        OPEN,
        CLOSED
    }

    private final Owner owner;
    private final boolean caller;

    /** Whom the caller means to reach; null on the called side. */
    private final String expected;

    private final int backlogBytes;
    private Stage stage = Stage.GREETING;
    private Handshake.Hello own;
    private Handshake.Hello peer;
    private boolean proven;
    private ChannelFuture lastGreeting;
    private String closeReason = "the peer closed the connection";

    /** Set once, before the first frame is handed out. */
    private volatile Channel channel;

    /** Set once, before the connection is handed out. */
    private volatile Outbox outbox;

    private volatile long lastHeard = System.nanoTime();

    LinkConnection(Owner owner, String expected, int backlogBytes) {
        this.owner = owner;
        this.caller = expected != null;
        this.expected = expected;
        this.backlogBytes = backlogBytes;
    }

    boolean caller() {
        return caller;
    }

    /** Whose connection it is or was to be; null when a caller did not get so far as to prove its name. */
    String expectedOrPeer() {
        return caller ? expected : proven ? peer.name() : null;
    }

    String peerName() {
        return peer.name();
    }

    long peerLife() {
        return peer.life();
    }

    boolean open() {
        return stage == Stage.OPEN;
    }

    long silentNanos() {
        return System.nanoTime() - lastHeard;
    }

    /** Says who this is, which begins the conversation; by the caller, on the link's thread. */
    void greet() {
        own = owner.greeting();
        var _ = writeNow(new LinkFrame(Kind.HELLO, 0, "", own.encode()));
    }

    void close(String reason) {
        if (stage != Stage.CLOSED) {
            closeReason = reason;
        }
        Channel present = channel;
        if (present != null) {
            var _ = present.close();
        }
    }

    /** Sends a frame; false when too much waits already. Any thread, once the connection is established. */
    boolean send(LinkFrame frame) {
        return outbox.send(frame);
    }

    private ChannelFuture writeNow(LinkFrame frame) {
        Channel present = channel;
        return present.writeAndFlush(frame.encode(present.alloc()));
    }

    /** Both sides are ready; {@code greeting} is the last frame that goes past the outbox. */
    private void open(ChannelFuture greeting) {
        stage = Stage.OPEN;
        boolean plain = greeting.isSuccess() && channel.pipeline().get(SslHandler.class) == null;
        outbox = new Outbox(
                channel, plain && channel instanceof LinkChannel own ? own.socketChannel() : null, backlogBytes);
        owner.established(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        super.channelActive(context);
        // Whoever listens there may not be of our kind, and say nothing for ever.
        var _ = context.executor()
                .schedule(
                        () -> {
                            if (stage != Stage.OPEN) {
                                close("no greeting within " + GREETING_MILLIS + " ms");
                            }
                        },
                        GREETING_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        while (in.readableBytes() >= LinkFrame.PREFIX && stage != Stage.CLOSED) {
            int length = in.getInt(in.readerIndex());
            if (length < LinkFrame.HEADER || length > (stage == Stage.OPEN ? LinkFrame.MAX_LENGTH : 4096)) {
                close("a frame of " + length + " bytes: this is no peer of ours");
                stage = Stage.CLOSED;
                return;
            }
            if (in.readableBytes() < LinkFrame.PREFIX + length) {
                return;
            }
            LinkFrame frame = LinkFrame.decode(in);
            if (frame == null) {
                close("a damaged frame");
                stage = Stage.CLOSED;
                return;
            }
            lastHeard = System.nanoTime();
            if (stage == Stage.OPEN) {
                if (frame.kind() != Kind.PING) {
                    owner.received(this, frame);
                }
            } else {
                converse(frame);
            }
        }
    }

    private void converse(LinkFrame frame) {
        try {
            switch (frame.kind()) {
                case HELLO -> onHello(Handshake.Hello.decode(frame.payload()));
                case PROOF -> onProof(frame.payload());
                case WELCOME -> onWelcome();
                case GOODBYE ->
                    refuse("the peer refuses: " + new String(frame.payload(), StandardCharsets.UTF_8), false);
                default -> refuse("unexpected " + frame.kind() + " before the greeting is over", false);
            }
        } catch (IOException e) {
            refuse(e.getMessage() == null ? "a garbled greeting" : e.getMessage(), true);
        }
    }

    private void onHello(Handshake.Hello hello) {
        if (stage != Stage.GREETING) {
            refuse("greeted twice", false);
            return;
        }
        peer = hello;
        if (!caller) {
            own = owner.greeting();
            byte[] proof = Handshake.proof(owner.secret(), "called", own, peer);
            own = new Handshake.Hello(own.cluster(), own.name(), own.life(), own.nonce(), proof);
            stage = Stage.PROVING;
            var _ = writeNow(new LinkFrame(Kind.HELLO, 0, "", own.encode()));
            return;
        }
        if (!hello.cluster().equals(own.cluster())) {
            refuse("it belongs to cluster '" + hello.cluster() + "', not '" + own.cluster() + "'", false);
        } else if (!hello.name().equals(expected)) {
            refuse("node '" + hello.name() + "' answers where '" + expected + "' was expected", false);
        } else if (!Handshake.matches(Handshake.proof(owner.secret(), "called", peer, own), hello.proof())) {
            refuse("node '" + hello.name() + "' does not know the cluster's secret", false);
        } else {
            stage = Stage.WAITING;
            lastGreeting =
                    writeNow(new LinkFrame(Kind.PROOF, 0, "", Handshake.proof(owner.secret(), "caller", own, peer)));
        }
    }

    private void onProof(byte[] proof) {
        if (stage != Stage.PROVING) {
            refuse("a proof out of turn", false);
        } else if (!peer.cluster().equals(own.cluster())) {
            refuse("cluster '" + peer.cluster() + "' is not '" + own.cluster() + "'", true);
        } else if (!Handshake.matches(Handshake.proof(owner.secret(), "caller", peer, own), proof)) {
            refuse("node '" + peer.name() + "' does not know the cluster's secret", true);
        } else {
            String objection = owner.judge(this, peer);
            if (objection != null) {
                refuse(objection, true);
                return;
            }
            proven = true;
            open(writeNow(new LinkFrame(Kind.WELCOME, 0, "", LinkFrame.NOTHING)));
        }
    }

    private void onWelcome() {
        if (stage != Stage.WAITING) {
            refuse("a welcome out of turn", false);
            return;
        }
        open(lastGreeting);
    }

    private void refuse(String reason, boolean tell) {
        closeReason = reason;
        stage = Stage.CLOSED;
        Channel present = channel;
        if (tell) {
            LinkFrame frame = new LinkFrame(Kind.GOODBYE, 0, "", reason.getBytes(StandardCharsets.UTF_8));
            var _ = present.writeAndFlush(frame.encode(present.alloc())).addListener(ChannelFutureListener.CLOSE);
        } else {
            var _ = present.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        stage = Stage.CLOSED;
        if (outbox != null) {
            outbox.clear();
        }
        owner.closed(this, closeReason);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("connection to {} failed", peer == null ? expected : peer.name(), cause);
        close(cause.toString());
    }
}
