package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectionInfo;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Brings TLS into one connection: at once, or when the first byte shows that the client begins a handshake. Stands before
 * the handler that reads the protocol and calls back when the way is free. On the loop.
 */
final class TlsStart extends ChannelInboundHandlerAdapter {
    private static final int HANDSHAKE_RECORD = 0x16;

    private final ClientConnection connection;
    private final TlsContexts tls;
    private final boolean plainAllowed;
    private final Runnable onReady;
    private boolean sniffing;
    private boolean silent = true;

    /**
     * @param plainAllowed whether a client that begins without TLS may go on so
     * @param onReady runs after the handshake, or when the client stays without TLS
     */
    TlsStart(ClientConnection connection, TlsContexts tls, boolean plainAllowed, Runnable onReady) {
        this.connection = connection;
        this.tls = tls;
        this.plainAllowed = plainAllowed;
        this.onReady = onReady;
    }

    /** Waits for the first byte to decide. */
    void sniff() {
        sniffing = true;
    }

    /** Whether the client has not said anything yet. */
    boolean isSilent() {
        return silent;
    }

    /** Expects a handshake next. */
    void expect() {
        sniffing = false;
        if (!tls.admits(System.nanoTime() / 1_000_000_000L)) {
            connection.close(ClosedReason.TLS_HANDSHAKE_FAILURE, ErrorText.THROTTLED);
            return;
        }
        pipeline().addFirst("tls", tls.handler(connection.channel()));
    }

    private ChannelPipeline pipeline() {
        return connection.channel().pipeline();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        silent = false;
        if (!sniffing || !(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
            context.fireChannelRead(message);
            return;
        }
        sniffing = false;
        if (bytes.getUnsignedByte(bytes.readerIndex()) == HANDSHAKE_RECORD) {
            expect();
            if (!connection.isClosed()) {
                // Again from the front, where TLS stands now.
                pipeline().fireChannelRead(message);
                return;
            }
            bytes.release();
        } else if (plainAllowed) {
            ready();
            context.fireChannelRead(message);
        } else {
            bytes.release();
            connection.close(ClosedReason.TLS_HANDSHAKE_FAILURE, ErrorText.TLS_REQUIRED);
        }
    }

    private void ready() {
        pipeline().remove(this);
        onReady.run();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                finished(pipeline().get(SslHandler.class).engine().getSession());
            } else {
                connection.engine.log(
                        connection, "TLS handshake failed: {}", done.cause().toString());
                connection.close(ClosedReason.TLS_HANDSHAKE_FAILURE);
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void finished(SSLSession session) {
        List<X509Certificate> chain = peerChain(session);
        if (!tls.isPinned(chain)) {
            connection.engine.log(connection, "the client's certificate is not pinned: {}", chain.size());
            connection.close(ClosedReason.TLS_HANDSHAKE_FAILURE);
            return;
        }
        ConnectionInfo info = connection.info();
        connection.setInfo(new ConnectionInfo(
                info.id(),
                info.kind(),
                info.type(),
                info.remoteHost(),
                info.remotePort(),
                info.nonce(),
                true,
                session.getProtocol().replace("TLSv", ""),
                session.getCipherSuite(),
                chain,
                info.listenerNoAuthUser()));
        ready();
    }

    private static List<X509Certificate> peerChain(SSLSession session) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate : session.getPeerCertificates()) {
                if (certificate instanceof X509Certificate x509) {
                    chain.add(x509);
                }
            }
        } catch (SSLPeerUnverifiedException _) {
            // The client showed no certificate, and none was required.
            return List.of();
        }
        return List.copyOf(chain);
    }
}
