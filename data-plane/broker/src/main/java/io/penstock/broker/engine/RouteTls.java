package io.penstock.broker.engine;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.penstock.broker.TlsOptions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** TLS of routes: each side shows its certificate, and who dials checks that it is for the address it dialled. */
final class RouteTls {
    private final TlsOptions options;
    private final SslContext accepting;
    private final SslContext dialling;

    private RouteTls(TlsOptions options, SslContext accepting, SslContext dialling) {
        this.options = options;
        this.accepting = accepting;
        this.dialling = dialling;
    }

    /** @throws IllegalArgumentException naming the files that cannot be used */
    static RouteTls of(TlsOptions options) {
        TlsOptions.Certificate certificate = options.certificates().getFirst();
        try {
            SslContextBuilder server = SslContextBuilder.forServer(
                            certificate.certFile().toFile(),
                            certificate.keyFile().toFile())
                    .clientAuth(ClientAuth.REQUIRE);
            SslContextBuilder client = SslContextBuilder.forClient()
                    .keyManager(
                            certificate.certFile().toFile(),
                            certificate.keyFile().toFile())
                    .endpointIdentificationAlgorithm("HTTPS");
            return new RouteTls(options, build(server, options), build(client, options));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cluster.tls: certificate " + certificate.certFile() + " with key " + certificate.keyFile()
                            + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private static SslContext build(SslContextBuilder builder, TlsOptions options) throws SSLException {
        builder.sslProvider(SslProvider.JDK);
        if (!options.protocols().isEmpty()) {
            builder.protocols(options.protocols());
        }
        if (!options.cipherSuites().isEmpty()) {
            builder.ciphers(options.cipherSuites());
        }
        if (options.caFile() != null) {
            builder.trustManager(options.caFile().toFile());
        }
        return builder.build();
    }

    SslHandler accepting(Channel channel) {
        return timed(accepting.newHandler(channel.alloc()));
    }

    SslHandler dialling(Channel channel, String host, int port) {
        return timed(dialling.newHandler(channel.alloc(), host, port));
    }

    private SslHandler timed(SslHandler handler) {
        handler.setHandshakeTimeout(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
        return handler;
    }

    /** Whether the other node's certificate is among those pinned; no pins mean any. */
    boolean isPinned(SSLSession session) {
        if (options.pinnedCertificates().isEmpty()) {
            return true;
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(chain[0].getPublicKey().getEncoded());
            return options.pinnedCertificates().contains(HexFormat.of().formatHex(digest));
        } catch (SSLPeerUnverifiedException _) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }
}
