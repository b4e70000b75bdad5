package io.penstock.broker.engine;

import io.penstock.broker.route.WireName;
import io.penstock.protocol.SubjectHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Accounts by the bytes of their names, as messages of a route carry them; a look-up makes no garbage. One thread. */
final class AccountTable {
    private static final int SLOTS = 1024;

    private final LocalRegistry registry;
    private final byte[][] names = new byte[SLOTS][];
    private final LocalAccount[] accounts = new LocalAccount[SLOTS];

    AccountTable(LocalRegistry registry) {
        this.registry = registry;
    }

    /** Null when there is no such account. */
    LocalAccount find(byte[] bytes, int offset, int length) {
        int hash = SubjectHash.of(bytes, offset, length);
        int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
        byte[] name = names[slot];
        LocalAccount account = accounts[slot];
        if (name != null && !account.isGone() && Arrays.equals(name, 0, name.length, bytes, offset, offset + length)) {
            return account;
        }
        String token = new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        account = (LocalAccount) registry.find(WireName.decode(token));
        if (account != null) {
            names[slot] = Arrays.copyOfRange(bytes, offset, offset + length);
            accounts[slot] = account;
        }
        return account;
    }
}
