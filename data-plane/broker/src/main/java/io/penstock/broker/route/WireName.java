package io.penstock.broker.route;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The names of accounts on routes. Configurations may name them as they like, with blanks too; here they are one token of
 * ASCII, with everything else as {@code %XX} of its UTF-8, so that no two names meet.
 */
public final class WireName {
    private static final String HEX = "0123456789ABCDEF";

    private WireName() {}

    public static String encode(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (b > ' ' && b < 0x7f && b != '%') {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
            }
        }
        return out.toString();
    }

    /** The name behind a token; what is no encoding stands for itself. */
    public static String decode(String token) {
        if (token.indexOf('%') < 0) {
            return token;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(token.length());
        int i = 0;
        while (i < token.length()) {
            char c = token.charAt(i);
            int high = i + 2 < token.length() ? HEX.indexOf(token.charAt(i + 1)) : -1;
            int low = i + 2 < token.length() ? HEX.indexOf(token.charAt(i + 2)) : -1;
            if (c == '%' && high >= 0 && low >= 0) {
                out.write(high << 4 | low);
                i += 3;
            } else {
                out.write(c);
                i++;
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
