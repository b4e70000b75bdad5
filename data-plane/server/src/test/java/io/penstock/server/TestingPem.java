package io.penstock.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for this machine that is its own authority, as PEM files. */
final class TestingPem {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ALIAS = "node";

    private final Path certificate;
    private final Path key;
    private final KeyStore keys;

    TestingPem(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("node.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=node",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no key: " + said);
        }
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        certificate = pem(
                directory.resolve("node.pem"),
                "CERTIFICATE",
                keys.getCertificate(ALIAS).getEncoded());
        key = pem(
                directory.resolve("node.key"),
                "PRIVATE KEY",
                keys.getKey(ALIAS, PASSWORD).getEncoded());
    }

    private static Path pem(Path file, String kind, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder().encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    Path certificate() {
        return certificate;
    }

    /** A {@code tls} block that shows this certificate and trusts it. */
    String block() {
        return "tls { cert_file: \"" + certificate + "\", key_file: \"" + key + "\", ca_file: \"" + certificate
                + "\" }";
    }

    /** Trusts the certificate, and shows it if wanted. */
    SSLContext context(boolean shows) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shows ? own.getKeyManagers() : null, trust.getTrustManagers(), null);
        return context;
    }
}
