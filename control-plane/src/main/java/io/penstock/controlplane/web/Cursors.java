package io.penstock.controlplane.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Opaque cursors: the position and a MAC over the position and the list it belongs to (path, filter, person), so that a
 * cursor cannot be changed or used elsewhere.
 *
 * <pre>
 * base64url( 16 bytes of HMAC-SHA256(key, list 0x00 position) | position in UTF-8 )
 * </pre>
 */
public final class Cursors {
    private static final int MAC_BYTES = 16;

    private final SecretKeySpec key;

    public Cursors(byte[] key) {
        this.key = new SecretKeySpec(key, "HmacSHA256");
    }

    public String seal(String list, String position) {
        byte[] text = position.getBytes(StandardCharsets.UTF_8);
        byte[] out = Arrays.copyOf(mac(list, position), MAC_BYTES + text.length);
        System.arraycopy(text, 0, out, MAC_BYTES, text.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out);
    }

    public String open(String list, String cursor) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(cursor);
        } catch (IllegalArgumentException malformed) {
            throw refused();
        }
        if (bytes.length < MAC_BYTES) {
            throw refused();
        }
        String position = new String(bytes, MAC_BYTES, bytes.length - MAC_BYTES, StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(mac(list, position), Arrays.copyOf(bytes, MAC_BYTES))) {
            throw refused();
        }
        return position;
    }

    private byte[] mac(String list, String position) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(list.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return Arrays.copyOf(mac.doFinal(position.getBytes(StandardCharsets.UTF_8)), MAC_BYTES);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static ProblemException refused() {
        return ProblemException.of(
                ErrorCode.INVALID_CURSOR, "Take the cursor from `page.next` of this very list, with the same filters.");
    }
}
