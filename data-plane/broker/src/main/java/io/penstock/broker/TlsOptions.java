package io.penstock.broker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * TLS of a listener.
 *
 * @param certificates chain and key files (PEM); the first is the default, the others are chosen by server name
 * @param caFile authorities for client certificates, or null for the system's
 * @param verify whether a client must show a valid certificate
 * @param requestCertificate whether it is asked for one without being refused when it has none
 * @param protocols such as {@code TLSv1.2}; empty means 1.2 and 1.3
 * @param cipherSuites JSSE names; empty means the runtime's
 * @param timeout for the handshake; default 2 s
 * @param pinnedCertificates lower-case hex SHA-256 of the SubjectPublicKeyInfo; empty means any
 * @param handshakeFirst whether TLS comes before INFO
 * @param handshakeFirstFallback with handshakeFirst: how long to wait for the client's first bytes before INFO is sent in
 *     the clear; zero means never
 * @param connectionRateLimit handshakes a second, 0 for no limit
 */
public record TlsOptions(
        List<Certificate> certificates,
        Path caFile,
        boolean verify,
        boolean requestCertificate,
        List<String> protocols,
        List<String> cipherSuites,
        Duration timeout,
        Set<String> pinnedCertificates,
        boolean handshakeFirst,
        Duration handshakeFirstFallback,
        long connectionRateLimit) {

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** The wait that {@code handshake_first: auto} stands for. */
    public static final Duration AUTO_FALLBACK = Duration.ofMillis(50);

    /** A certificate chain and its key. */
    public record Certificate(Path certFile, Path keyFile) {}

    /** One certificate, nothing asked of clients. */
    public static TlsOptions of(Path certFile, Path keyFile) {
        return new TlsOptions(
                List.of(new Certificate(certFile, keyFile)),
                null,
                false,
                false,
                List.of(),
                List.of(),
                DEFAULT_TIMEOUT,
                Set.of(),
                false,
                Duration.ZERO,
                0);
    }
}
