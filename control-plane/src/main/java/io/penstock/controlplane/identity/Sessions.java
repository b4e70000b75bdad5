package io.penstock.controlplane.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Secrets;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Session records: the browser holds 256 random bits, the database their hash and the tokens under AES-256-GCM, bound to that
 * hash. A stolen database opens no session and yields no token.
 *
 * <pre>
 * tokens = 12 bytes nonce | AES-256-GCM(key "session", nonce, aad = id_hash, json)
 * </pre>
 */
@ApplicationScoped
public class Sessions {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();

    @Inject
    EntityManager database;

    @Inject
    Tenancy tenancy;

    @Inject
    Secrets secrets;

    @Inject
    ObjectMapper json;

    @Inject
    Clock clock;

    @ConfigProperty(name = "penstock.session.absolute", defaultValue = "24h")
    Duration absolute;

    /** What the identity provider gave for a session. */
    public record Tokens(String idToken, String accessToken, String refreshToken, Long expiresIn, String scope) {}

    String open(Tokens tokens) {
        String id = secrets.token(32);
        byte[] hash = hash(id);
        byte[] sealed = seal(hash, tokens);
        tenancy.anonymous(() -> database.createNativeQuery(
                        "insert into login_session (id_hash, tokens, created_at, expires_at) values (?1, ?2, ?3, ?4)")
                .setParameter(1, hash)
                .setParameter(2, sealed)
                .setParameter(3, clock.instant())
                .setParameter(4, clock.instant().plus(absolute))
                .executeUpdate());
        return id;
    }

    Optional<Tokens> find(String id) {
        byte[] hash = hash(id);
        List<?> found = tenancy.anonymous(() -> database.createNativeQuery(
                        "select tokens from login_session where id_hash = ?1 and expires_at > ?2", byte[].class)
                .setParameter(1, hash)
                .setParameter(2, clock.instant())
                .getResultList());
        return found.isEmpty() ? Optional.empty() : Optional.of(unseal(hash, (byte[]) found.getFirst()));
    }

    void end(String id) {
        tenancy.anonymous(() -> database.createNativeQuery("delete from login_session where id_hash = ?1")
                .setParameter(1, hash(id))
                .executeUpdate());
    }

    @Scheduled(every = "10m", delayed = "1m")
    void forgetExpired() {
        tenancy.anonymous(() -> database.createNativeQuery("delete from login_session where expires_at < ?1")
                .setParameter(1, clock.instant())
                .executeUpdate());
    }

    private byte[] seal(byte[] hash, Tokens tokens) {
        try {
            byte[] nonce = new byte[NONCE_BYTES];
            random.nextBytes(nonce);
            byte[] text = cipher(Cipher.ENCRYPT_MODE, hash, nonce).doFinal(json.writeValueAsBytes(tokens));
            byte[] out = Arrays.copyOf(nonce, NONCE_BYTES + text.length);
            System.arraycopy(text, 0, out, NONCE_BYTES, text.length);
            return out;
        } catch (GeneralSecurityException | JsonProcessingException impossible) {
            throw new IllegalStateException("cannot seal a session", impossible);
        }
    }

    private Tokens unseal(byte[] hash, byte[] sealed) {
        try {
            byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
            byte[] text =
                    cipher(Cipher.DECRYPT_MODE, hash, nonce).doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
            return json.readValue(text, Tokens.class);
        } catch (GeneralSecurityException | IOException damaged) {
            throw new IllegalStateException(
                    "a session record cannot be opened; was penstock.session.secret changed?", damaged);
        }
    }

    private Cipher cipher(int mode, byte[] hash, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(secrets.key("session"), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(hash);
        return cipher;
    }

    private static byte[] hash(String id) {
        return Etags.sha256(id.getBytes(StandardCharsets.UTF_8));
    }
}
