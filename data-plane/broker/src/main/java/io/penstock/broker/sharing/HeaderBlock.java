package io.penstock.broker.sharing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Edits header blocks: {@code NATS/1.0}, lines of {@code Name: value}, an empty line. */
public final class HeaderBlock {
    private static final String VERSION_LINE = "NATS/1.0\r\n";
    private static final String END = "\r\n";

    private HeaderBlock() {}

    /** The first value of a header, or null. */
    public static String first(byte[] block, String name) {
        for (String line : lines(block)) {
            if (isNamed(line, name)) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return null;
    }

    /** The block with one header set, whatever it said under that name before. */
    public static byte[] with(byte[] block, String name, String value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(block.length + name.length() + value.length() + 16);
        String[] lines = lines(block);
        append(out, lines.length > 0 && !lines[0].isEmpty() ? lines[0] + END : VERSION_LINE);
        for (int i = 1; i < lines.length; i++) {
            if (!lines[i].isEmpty() && !isNamed(lines[i], name)) {
                append(out, lines[i] + END);
            }
        }
        append(out, name + ": ");
        out.writeBytes(value.getBytes(StandardCharsets.UTF_8));
        append(out, END + END);
        return out.toByteArray();
    }

    // Case is not told apart: a responder might read a forged spelling of the name.
    private static boolean isNamed(String line, String name) {
        return line.length() > name.length()
                && line.charAt(name.length()) == ':'
                && line.substring(0, name.length()).toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT));
    }

    private static String[] lines(byte[] block) {
        return block.length == 0 ? new String[0] : new String(block, StandardCharsets.ISO_8859_1).split(END, -1);
    }

    private static void append(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
