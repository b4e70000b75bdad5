package io.penstock.controlplane.web;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Keys for what the control plane seals for itself, each derived from the one configured secret under a label of its own:
 * cursors, form tokens, codes and session records. Thread-safe.
 */
@Singleton
public final class Secrets {
    private final byte[] root;
    private final Cursors cursors;
    private final SecureRandom random = new SecureRandom();

    /** `root` is the configuration value `penstock.session.secret`: 32 bytes in base64. */
    @Inject
    public Secrets(@ConfigProperty(name = "penstock.session.secret") String root) {
        this.root = Base64.getDecoder().decode(root.trim());
        if (this.root.length != 32) {
            throw new IllegalArgumentException("penstock.session.secret must be 32 bytes in base64, it has "
                    + this.root.length + "; make one with: openssl rand -base64 32");
        }
        this.cursors = new Cursors(key("cursor"));
    }

    public Cursors cursors() {
        return cursors;
    }

    public byte[] key(String label) {
        return hmac(root, label);
    }

    public byte[] mac(String label, String value) {
        return hmac(key(label), value);
    }

    public String token(int bytes) {
        byte[] entropy = new byte[bytes];
        random.nextBytes(entropy);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(entropy);
    }

    /** Six digits. */
    public String code() {
        return String.format("%06d", random.nextInt(1_000_000));
    }

    private static byte[] hmac(byte[] key, String value) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(value.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
