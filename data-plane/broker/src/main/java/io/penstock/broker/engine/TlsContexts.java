package io.penstock.broker.engine;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.DomainWildcardMappingBuilder;
import io.netty.util.Mapping;
import io.penstock.broker.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** TLS material of one listener, read once and replaced whole on reload. */
final class TlsContexts {
    private static final int DNS_NAME = 2;

    private final TlsOptions options;
    private final SslContext main;
    private final Mapping<String, SslContext> byName;
    private long second;
    private long inSecond;

    private TlsContexts(TlsOptions options, SslContext main, Mapping<String, SslContext> byName) {
        this.options = options;
        this.main = main;
        this.byName = byName;
    }

    /** @throws IllegalArgumentException naming the file that cannot be used */
    static TlsContexts of(TlsOptions options) {
        SslContext main = null;
        DomainWildcardMappingBuilder<SslContext> names = null;
        for (TlsOptions.Certificate certificate : options.certificates()) {
            SslContext context = context(options, certificate);
            if (main == null) {
                main = context;
                names = new DomainWildcardMappingBuilder<>(context);
                continue;
            }
            for (String name : dnsNames(certificate.certFile())) {
                names.add(name, context);
            }
        }
        if (main == null) {
            throw new IllegalArgumentException("tls needs at least one certificate and key (cert_file, key_file)");
        }
        return new TlsContexts(options, main, options.certificates().size() > 1 ? names.build() : null);
    }

    private static SslContext context(TlsOptions options, TlsOptions.Certificate certificate) {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            certificate.certFile().toFile(),
                            certificate.keyFile().toFile())
                    .sslProvider(SslProvider.JDK)
                    .clientAuth(
                            options.verify()
                                    ? ClientAuth.REQUIRE
                                    : options.requestCertificate() ? ClientAuth.OPTIONAL : ClientAuth.NONE)
                    .protocols(options.protocols().isEmpty() ? List.of("TLSv1.3", "TLSv1.2") : options.protocols());
            if (!options.cipherSuites().isEmpty()) {
                builder.ciphers(options.cipherSuites());
            }
            if (options.caFile() != null) {
                builder.trustManager(options.caFile().toFile());
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls: certificate " + certificate.certFile() + " with key " + certificate.keyFile()
                            + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private static List<String> dnsNames(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(DNS_NAME))
                            .map(name -> (String) name.get(1))
                            .toList();
        } catch (IOException | CertificateParsingException e) {
            throw new IllegalArgumentException("tls: the names in " + file + " cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("tls: " + file + " is no certificate: " + e.getMessage(), e);
        }
    }

    TlsOptions options() {
        return options;
    }

    /** A handler for one connection. */
    ChannelHandler handler(Channel channel) {
        long timeout = options.timeout().toMillis();
        if (byName != null) {
            return new SniHandler(byName) {
                @Override
                protected SslHandler newSslHandler(SslContext context, io.netty.buffer.ByteBufAllocator allocator) {
                    SslHandler handler = super.newSslHandler(context, allocator);
                    handler.setHandshakeTimeout(timeout, TimeUnit.MILLISECONDS);
                    return handler;
                }
            };
        }
        SslHandler handler = main.newHandler(channel.alloc());
        handler.setHandshakeTimeout(timeout, TimeUnit.MILLISECONDS);
        return handler;
    }

    /** Whether one more handshake fits into this second's rate. */
    synchronized boolean admits(long nowSeconds) {
        if (options.connectionRateLimit() <= 0) {
            return true;
        }
        if (nowSeconds != second) {
            second = nowSeconds;
            inSecond = 0;
        }
        return ++inSecond <= options.connectionRateLimit();
    }

    /** Whether the peer's certificate is among those pinned; no pins mean any. */
    boolean isPinned(List<X509Certificate> chain) {
        Set<String> pins = options.pinnedCertificates();
        if (pins.isEmpty()) {
            return true;
        }
        if (chain.isEmpty()) {
            return false;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(chain.getFirst().getPublicKey().getEncoded());
            return pins.contains(HexFormat.of().formatHex(digest));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }
}
