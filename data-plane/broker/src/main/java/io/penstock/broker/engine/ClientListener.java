package io.penstock.broker.engine;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.TlsOptions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Takes TCP connections of clients into the broker. On the connections' loops. */
final class ClientListener {
    private static final WriteBufferWaterMark WATERMARK = new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    /** More would only let what was read grow cold before it is written. */
    private static final int READS_PER_BURST = 4;

    private final BrokerEngine engine;

    ClientListener(BrokerEngine engine) {
        this.engine = engine;
    }

    static void tune(Channel channel) {
        channel.config().setWriteBufferWaterMark(WATERMARK);
        channel.config()
                .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(512, 2048, Lane.LARGE_BLOCK)
                        .maxMessagesPerRead(READS_PER_BURST));
    }

    void accept(Channel channel, LoopLane lane) {
        tune(channel);
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        ConnectionInfo info = new ConnectionInfo(
                engine.nextId(),
                ConnectionKind.CLIENT,
                ConnectionType.STANDARD,
                peer.getAddress().getHostAddress(),
                peer.getPort(),
                engine.newNonce(),
                false,
                null,
                null,
                List.of(),
                null);
        ClientConnection connection = new ClientConnection(engine, lane, channel, info);
        channel.pipeline().addLast("client", new ClientInput(connection));
        if (!engine.admit(connection)) {
            return;
        }
        TlsContexts tls = engine.clientTls();
        if (tls == null) {
            connection.session.start();
        } else {
            startTls(connection, tls);
        }
    }

    private void startTls(ClientConnection connection, TlsContexts tls) {
        TlsOptions options = tls.options();
        boolean plainAllowed = engine.options().allowNonTls();
        ClientSession session = connection.session;
        if (options.handshakeFirst() && options.handshakeFirstFallback().isZero()) {
            TlsStart start = install(connection, tls, false, session::start);
            start.expect();
        } else if (options.handshakeFirst()) {
            startWithFallback(connection, tls, plainAllowed);
        } else {
            TlsStart start = install(connection, tls, plainAllowed, session::awaitConnect);
            infoThenTls(connection, start, plainAllowed);
        }
    }

    /** The client has a moment to begin a handshake; then it is spoken to in the clear. */
    private void startWithFallback(ClientConnection connection, TlsContexts tls, boolean plainAllowed) {
        boolean[] told = new boolean[1];
        TlsStart start = install(connection, tls, plainAllowed, () -> {
            if (told[0]) {
                connection.session.awaitConnect();
            } else {
                connection.session.start();
            }
        });
        start.sniff();
        var _ = connection.lane.loop.schedule(
                () -> {
                    if (start.isSilent() && !connection.isClosed()) {
                        told[0] = true;
                        infoThenTls(connection, start, plainAllowed);
                    }
                },
                tls.options().handshakeFirstFallback().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private static void infoThenTls(ClientConnection connection, TlsStart start, boolean plainAllowed) {
        connection.session.sendInfo(false);
        // In the clear, so it must be past the place where TLS will stand.
        connection.lane.flush();
        if (plainAllowed) {
            start.sniff();
        } else {
            start.expect();
        }
    }

    private static TlsStart install(
            ClientConnection connection, TlsContexts tls, boolean plainAllowed, Runnable onReady) {
        TlsStart start = new TlsStart(connection, tls, plainAllowed, onReady);
        connection.channel().pipeline().addBefore("client", "tls-start", start);
        return start;
    }
}
