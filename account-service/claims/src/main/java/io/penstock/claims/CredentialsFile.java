package io.penstock.claims;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A credentials file: a user's JWT and seed between dashed lines.
 *
 * @param jwt the user's token
 * @param seed the seed's text in ASCII bytes, empty for bearer credentials; wipe after use
 */
public record CredentialsFile(String jwt, byte[] seed) {
    private static final int MIN_DASHES = 3;
    /** More bytes than everything in a file but token and seed. */
    private static final int FRAME = 512;

    private static final String TOKEN_HEAD = "-----BEGIN NATS USER JWT-----\n";
    private static final String TOKEN_TAIL = "\n------END NATS USER JWT------\n\n";
    private static final String SEED_HEAD = """
            ************************* IMPORTANT *************************
            NKEY Seed printed below can be used to sign and prove identity.
            NKEYs are sensitive and should be treated as secrets.

            -----BEGIN USER NKEY SEED-----
            """;
    private static final String SEED_TAIL = """

            ------END USER NKEY SEED------

            *************************************************************
            """;

    /** The file's bytes, which hold the seed: the caller wipes them. */
    public static byte[] write(String jwt, byte[] seed) {
        WipedBuffer out = new WipedBuffer(jwt.length() + seed.length + FRAME);
        out.writeBytes(ascii(TOKEN_HEAD + jwt + TOKEN_TAIL));
        if (seed.length > 0) {
            out.writeBytes(ascii(SEED_HEAD));
            out.writeBytes(seed);
            out.writeBytes(ascii(SEED_TAIL));
        }
        byte[] file = out.toByteArray();
        out.wipe();
        return file;
    }

    /** Reads a file. The first block is the token, the second the seed; a bare token is accepted too. */
    public static CredentialsFile parse(byte[] file) throws InvalidTokenException {
        byte[] jwt = block(file, 0);
        byte[] seed = jwt == null ? null : block(file, 1);
        String token = new String(jwt == null ? file : jwt, StandardCharsets.US_ASCII).strip();
        if (token.isEmpty() || token.chars().filter(c -> c == '.').count() != 2) {
            throw new InvalidTokenException("not a credentials file: no token between two lines of dashes");
        }
        return new CredentialsFile(token, seed == null ? new byte[0] : seed);
    }

    /** Never shows the seed. */
    @Override
    public String toString() {
        return "CredentialsFile[jwt of " + jwt.length() + " characters]";
    }

    /** The single content line of the n-th pair of dashed lines, or null. */
    private static byte[] block(byte[] file, int wanted) {
        int found = 0;
        byte[] content = null;
        boolean open = false;
        int start = 0;
        while (start < file.length) {
            int end = start;
            while (end < file.length && file[end] != '\n') {
                end++;
            }
            byte[] line = trimmed(file, start, end);
            if (isDashed(line)) {
                if (open && content != null) {
                    if (found == wanted) {
                        return content;
                    }
                    found++;
                    open = false;
                } else {
                    open = true;
                }
                content = null;
            } else if (open && line.length > 0) {
                content = line;
            }
            start = end + 1;
        }
        return null;
    }

    private static boolean isDashed(byte[] line) {
        int dashes = 0;
        while (dashes < line.length && line[dashes] == '-') {
            dashes++;
        }
        return dashes >= MIN_DASHES;
    }

    private static byte[] trimmed(byte[] file, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && file[start] <= ' ') {
            start++;
        }
        while (end > start && file[end - 1] <= ' ') {
            end--;
        }
        return Arrays.copyOfRange(file, start, end);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static final class WipedBuffer extends ByteArrayOutputStream {
        // Large enough never to grow and leave a copy of the seed behind.
        WipedBuffer(int size) {
            super(size);
        }

        void wipe() {
            Arrays.fill(buf, (byte) 0);
        }
    }
}
