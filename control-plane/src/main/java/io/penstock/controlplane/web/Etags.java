package io.penstock.controlplane.web;

import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Strong entity tags: `"v17"` of a row's version, a hash of a configuration that lives in the broker. */
public final class Etags {
    private Etags() {}

    public static String ofVersion(long version) {
        return "\"v" + version + "\"";
    }

    public static String ofContent(String content) {
        return "\"h" + HexFormat.of().formatHex(sha256(content.getBytes(StandardCharsets.UTF_8)), 0, 10) + "\"";
    }

    /** Shows something with its tag. */
    public static Response answer(Tagged shown) {
        return Response.ok(shown).header("ETag", shown.etag()).build();
    }

    /** Fails with 428 when `ifMatch` is missing. */
    public static void require(String ifMatch, String current) {
        if (ifMatch == null || ifMatch.isBlank()) {
            throw ProblemException.of(
                    ErrorCode.PRECONDITION_REQUIRED,
                    "Read the object first and send its ETag as If-Match, so that nobody's change is lost.");
        }
        check(ifMatch, current);
    }

    /** Fails with 412 when `ifMatch` is there and is not the current tag. */
    public static void check(String ifMatch, String current) {
        if (ifMatch == null || ifMatch.isBlank() || "*".equals(ifMatch.trim())) {
            return;
        }
        for (String tag : ifMatch.split(",")) {
            if (tag.trim().equals(current)) {
                return;
            }
        }
        throw ProblemException.of(
                        ErrorCode.VERSION_MISMATCH, "It was changed since you read it. Read it again and repeat.")
                .param("current_etag", current)
                .header("ETag", current);
    }

    public static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
