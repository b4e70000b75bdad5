package io.penstock.broker.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate as PEM files, and a client's view of it. */
final class TestingCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();

    final Path certFile;
    final Path keyFile;
    private final KeyStore store;

    private TestingCertificate(KeyStore store, Path certFile, Path keyFile) {
        this.store = store;
        this.certFile = certFile;
        this.keyFile = keyFile;
    }

    static TestingCertificate make(Path folder, String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "one",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed: " + said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        Path cert = folder.resolve(name + ".pem");
        Path key = folder.resolve(name + ".key");
        Files.writeString(cert, pem("CERTIFICATE", store.getCertificate("one").getEncoded()));
        Files.writeString(key, pem("PRIVATE KEY", store.getKey("one", PASSWORD).getEncoded()));
        return new TestingCertificate(store, cert, key);
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + kind
                + "-----\n";
    }

    /** Trusts this certificate; shows {@code own} when it is not null. */
    SSLContext client(TestingCertificate own) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("one"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = null;
        if (own != null) {
            keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own.store, PASSWORD);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Lower-case hex SHA-256 of the public key. */
    String pin() throws GeneralSecurityException {
        X509Certificate certificate = (X509Certificate) store.getCertificate("one");
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256")
                        .digest(certificate.getPublicKey().getEncoded()));
    }
}
