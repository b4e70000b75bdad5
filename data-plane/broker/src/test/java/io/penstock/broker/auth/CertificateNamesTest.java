package io.penstock.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateNamesTest {
    @TempDir
    Path folder;

    @Test
    void emailBeforeHostBeforeUriBeforeSubject() throws Exception {
        X509Certificate certificate =
                certificate("CN=derek, OU=nats", "email:d@x.io,dns:host.x.io,uri:spiffe://x.io/d");

        assertThat(match(certificate, "d@x.io", "host.x.io", "spiffe://x.io/d", "CN=derek,OU=nats"))
                .isEqualTo("d@x.io");
        assertThat(match(certificate, "host.x.io", "spiffe://x.io/d", "CN=derek,OU=nats"))
                .isEqualTo("host.x.io");
        assertThat(match(certificate, "spiffe://x.io/d", "CN=derek,OU=nats")).isEqualTo("spiffe://x.io/d");
        assertThat(match(certificate, "CN=derek,OU=nats")).isEqualTo("CN=derek,OU=nats");
        assertThat(match(certificate, "derek", "CN=derek")).isNull();
    }

    @Test
    void subjectMatchesInAnyOrderAndSpelling() throws Exception {
        X509Certificate certificate = certificate("CN=derek, OU=nats, O=Synadia", null);

        assertThat(match(certificate, "O=Synadia, OU=nats, CN=derek")).isEqualTo("O=Synadia, OU=nats, CN=derek");
        assertThat(match(certificate, "cn=Derek, ou=NATS, o=synadia")).isEqualTo("cn=Derek, ou=NATS, o=synadia");
        assertThat(match(certificate, "CN=derek, OU=nats, O=Other")).isNull();
        assertThat(match(certificate, "")).isNull();
    }

    private static String match(X509Certificate certificate, String... users) {
        return CertificateNames.match(certificate, Set.of(users));
    }

    private X509Certificate certificate(String subject, String names) throws Exception {
        Path store = folder.resolve("store.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = new ArrayList<>(List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "c",
                "-keyalg",
                "EC",
                "-dname",
                subject,
                "-storepass",
                "secret",
                "-keystore",
                store.toString()));
        if (names != null) {
            command.addAll(List.of("-ext", "san=" + names));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "secret".toCharArray());
        }
        return (X509Certificate) keys.getCertificate("c");
    }
}
