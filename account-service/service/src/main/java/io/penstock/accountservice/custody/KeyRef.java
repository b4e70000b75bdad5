package io.penstock.accountservice.custody;

import java.util.regex.Pattern;

/**
 * Names a private key by its place, never by its value.
 *
 * @param owner account id, or `operator`, or `system`
 * @param group signing-key group, or `identity`
 * @param version from 1
 */
public record KeyRef(String owner, String group, int version) {
    /** Ids become file names: no dots, no separators. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public KeyRef {
        if (!isId(owner) || !isId(group) || version < 1) {
            throw new IllegalArgumentException("not the place of a key: " + owner + "/" + group + "/" + version);
        }
    }

    /** Whether a text may name an owner or a group. */
    public static boolean isId(String text) {
        return text != null && ID.matcher(text).matches();
    }

    @Override
    public String toString() {
        return owner + "/" + group + "/" + version;
    }
}
