package io.penstock.server;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.penstock.broker.TlsOptions;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** TLS of the peer links: the certificates of the routes. */
final class PeerTls {
    private PeerTls() {}

    /** Reads the files anew each time, so that new certificates count for new links. */
    static Supplier<SSLContext> of(TlsOptions options) {
        return options == null ? null : () -> read(options);
    }

    private static SSLContext read(TlsOptions options) {
        TlsOptions.Certificate certificate = options.certificates().getFirst();
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            certificate.certFile().toFile(),
                            certificate.keyFile().toFile())
                    .clientAuth(ClientAuth.REQUIRE)
                    .sslProvider(SslProvider.JDK);
            if (options.caFile() != null) {
                builder.trustManager(options.caFile().toFile());
            }
            return ((JdkSslContext) builder.build()).context();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cluster.tls: certificate " + certificate.certFile() + " with key " + certificate.keyFile()
                            + " cannot be used for the peer link: " + e.getMessage(),
                    e);
        }
    }
}
