package io.penstock.controlplane.access;

import io.penstock.controlplane.web.Etags;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API token. The fixed start lets scanners find one that leaked, the checksum tells a typo or a cut without a look-up.
 *
 * <pre>
 * pst_ kind _ 32 base62 characters (190 bits of entropy) _ 6 base62 characters of the CRC-32 of all before the last _
 * </pre>
 */
final class TokenFormat {
    /** Characters that are shown to recognise a token by; 166 bits stay unknown. */
    static final int PREFIX = 12;

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM = 32;
    private static final int CHECK = 6;
    private static final Pattern SHAPE = Pattern.compile("(pst_(?:pat|sat)_[0-9A-Za-z]{32})_([0-9A-Za-z]{6})");

    private TokenFormat() {}

    /** Whose token it is. */
    enum Kind {
        /** A person's. */
        PERSONAL("pat"),
        /** A service account's. */
        SERVICE_ACCOUNT("sat");

        private final String tag;

        Kind(String tag) {
            this.tag = tag;
        }

        String code() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    static String make(Kind kind, SecureRandom random) {
        StringBuilder text = new StringBuilder("pst_").append(kind.tag).append('_');
        for (int i = 0; i < RANDOM; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text + "_" + checksum(text.toString());
    }

    /** The hash to look for; empty for what cannot be a token. */
    static Optional<String> hashOf(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            return Optional.empty();
        }
        byte[] wanted = checksum(shape.group(1)).getBytes(StandardCharsets.US_ASCII);
        boolean whole = MessageDigest.isEqual(wanted, shape.group(2).getBytes(StandardCharsets.US_ASCII));
        return whole ? Optional.of(hash(text)) : Optional.empty();
    }

    static String hash(String text) {
        return HexFormat.of().formatHex(Etags.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        BigInteger rest = BigInteger.valueOf(crc.getValue());
        BigInteger base = BigInteger.valueOf(ALPHABET.length());
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < CHECK; i++) {
            BigInteger[] step = rest.divideAndRemainder(base);
            out.insert(0, ALPHABET.charAt(step[1].intValue()));
            rest = step[0];
        }
        return out.toString();
    }
}
