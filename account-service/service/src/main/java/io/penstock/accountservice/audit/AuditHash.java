package io.penstock.accountservice.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over all fields of a link, each with its length before it so that no two links spell the same. */
final class AuditHash {
    /** What the first link points back to. */
    static final String GENESIS = "0".repeat(64);

    private AuditHash() {}

    static String of(AuditEvent event) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String[] fields = {
                event.previousHash,
                String.valueOf(event.seq),
                event.at.toString(),
                event.actor,
                event.action,
                event.requestId,
                event.accountId,
                event.details
            };
            for (String field : fields) {
                byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK offers no SHA-256", e);
        }
    }
}
