package io.penstock.jetstream.backup;

import io.penstock.jetstream.runtime.AccountRuntime;
import java.util.HashMap;
import java.util.Map;

/** How many backups and restores are under way on a node, each of which has a thread. Owned by the loop. */
public final class Sessions {
    private static final int OF_NODE = 32;
    private static final int OF_ACCOUNT = 8;

    private final Map<String, Integer> byAccount = new HashMap<>();
    private int all;

    /** Takes a place; false when there is none. */
    boolean enter(AccountRuntime account) {
        if (all >= OF_NODE || byAccount.getOrDefault(account.name(), 0) >= OF_ACCOUNT) {
            return false;
        }
        all++;
        byAccount.merge(account.name(), 1, Integer::sum);
        return true;
    }

    void leave(AccountRuntime account) {
        all--;
        byAccount.computeIfPresent(account.name(), (name, count) -> count == 1 ? null : count - 1);
    }

    static String tooMany() {
        return "too many backups and restores at a time: " + OF_ACCOUNT + " of an account, " + OF_NODE
                + " of a node; try again when one has ended";
    }
}
