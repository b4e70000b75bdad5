package io.penstock.broker.route;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The connections between two nodes: some that accounts share, and one for each account that has its own. Both sides
 * come to the same numbers.
 *
 * @param pool connections that are shared, numbered from 0
 * @param dedicated accounts with a connection of their own, in order; numbered behind the shared ones
 */
public record RouteSlots(int pool, List<String> dedicated) {
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    public RouteSlots {
        dedicated = List.copyOf(dedicated);
    }

    /** What two nodes have in common. */
    public static RouteSlots common(int pool, Set<String> accounts, int theirPool, Set<String> theirAccounts) {
        TreeSet<String> both = new TreeSet<>(accounts);
        both.retainAll(theirAccounts);
        return new RouteSlots(Math.max(1, Math.min(pool, theirPool)), List.copyOf(both));
    }

    public int count() {
        return pool + dedicated.size();
    }

    /** The connection that carries this account. */
    public int of(String account) {
        int own = dedicated.indexOf(account);
        return own >= 0 ? pool + own : Integer.remainderUnsigned(fnv1a(account), pool);
    }

    /** The account a connection is reserved for, or null for a shared one. */
    public String account(int slot) {
        return slot < pool ? null : dedicated.get(slot - pool);
    }

    private static int fnv1a(String text) {
        int hash = FNV_OFFSET;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }
}
