package io.penstock.consensus.raft;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Until when this replica, which leads, may take for granted that no other does.
 *
 * <p>Who acknowledges a leader votes for no other until an election time-out has passed; a leader that a majority
 * acknowledges is therefore safe for that long, counted from when it sent what was acknowledged. The lease is shorter by a
 * tenth, for clocks that do not run alike. It ends at once when leadership is handed on, and when a newer term is heard
 * of. That a refused redial makes others stand at once does no harm: the process that held the lease is gone.
 *
 * <p>{@link #holds} may be called by any thread and costs one volatile read. All else is rare: signs of life that are
 * close to each other are only noted.
 */
final class Lease {
    private static final long NONE = Long.MIN_VALUE;

    /** There is no other voter. */
    private static final long FOREVER = Long.MAX_VALUE;

    /** The lease is shorter than the election time-out by this part of it. */
    private static final int MARGIN = 10;

    /** It is not renewed for less than this part of the election time-out. */
    private static final int STEP = 20;

    /** The latest sign of life of a replica: when what it acknowledged was sent. */
    private static final class Sign {
        private long sentAt;
    }

    private final String self;
    private final Supplier<Members> members;
    private final long electionNanos;

    /** By the steady clock; written with the lock held. */
    private volatile long until = NONE;

    /** Written with the lock held. */
    private volatile long term = -1;

    /** Guarded by this, as all below. */
    private final Map<String, Sign> signs = new TreeMap<>();

    /** Who was asked to take over and may still do so, by ticket: until when at the latest. */
    private final Map<Long, Long> asked = new TreeMap<>();

    private long tickets;

    Lease(String self, Supplier<Members> members, long electionNanos) {
        this.self = self;
        this.members = members;
        this.electionNanos = electionNanos;
    }

    /** Whether no other can have been elected by {@code now}, as {@link System#nanoTime} tells. Only a leader may ask. */
    boolean holds(long now) {
        long end = until;
        return end == FOREVER || (end != NONE && end - now > 0);
    }

    /** This replica leads in this term, so the leases of earlier ones are over. */
    synchronized void leads(long newTerm, long now) {
        if (newTerm > term) {
            begin(newTerm);
        }
        renew(now);
    }

    /** A replica acknowledged this one as the leader of a term, by what was sent at a time. */
    synchronized void acknowledged(String replica, long ofTerm, long sentAt, long now) {
        if (ofTerm < term) {
            return;
        }
        if (ofTerm > term) {
            begin(ofTerm);
        }
        Sign sign = signs.get(replica);
        if (sign == null) {
            sign = new Sign();
            sign.sentAt = sentAt;
            signs.put(replica, sign);
        } else if (sentAt - sign.sentAt > 0) {
            sign.sentAt = sentAt;
        }
        long end = until;
        boolean fresh = end != NONE && end != FOREVER && end - length() + electionNanos / STEP - sentAt > 0;
        if (!fresh) {
            renew(now);
        }
    }

    /** Somebody knows of this term: if it is newer, another may lead. */
    void sawTerm(long newTerm) {
        if (newTerm > term) {
            synchronized (this) {
                if (newTerm > term) {
                    begin(newTerm);
                }
            }
        }
    }

    /**
     * Another is asked to stand at once. There is no lease until it is known that it does not, or until that would be too
     * late.
     *
     * @return the ticket of this request
     */
    synchronized long handsOn(long now) {
        until = NONE;
        asked.put(++tickets, now + 2 * electionNanos);
        return tickets;
    }

    /** Who was asked to stand lets it pass, for certain: what the others acknowledged holds on. */
    synchronized void notTaken(long ticket, long now) {
        if (asked.remove(ticket) != null) {
            renew(now);
        }
    }

    /** Whether who was asked to stand may still do so in this term. */
    synchronized boolean waitsFor(long ticket, long now) {
        Long end = asked.get(ticket);
        return end != null && end - now > 0;
    }

    /** No sign of life of this replica counts any more: it may come back and not remember what it acknowledged. */
    synchronized void lost(String replica, long now) {
        if (signs.remove(replica) != null) {
            renew(now);
        }
    }

    /** The members have changed: a majority is another now. */
    synchronized void membersChanged(long now) {
        if (until != NONE) {
            renew(now);
        }
    }

    private void begin(long newTerm) {
        until = NONE;
        term = newTerm;
        asked.clear();
        signs.clear();
    }

    private long length() {
        return electionNanos - electionNanos / MARGIN;
    }

    private void renew(long now) {
        asked.values().removeIf(end -> end - now <= 0);
        if (!asked.isEmpty()) {
            return;
        }
        List<Set<String>> quorums = members.get().quorums();
        long end = quorums.isEmpty() ? NONE : FOREVER;
        for (Set<String> voters : quorums) {
            long its = by(voters);
            if (its == NONE || end == NONE) {
                end = NONE;
            } else if (end == FOREVER || (its != FOREVER && its - end < 0)) {
                end = its;
            }
        }
        until = end;
    }

    /** Until when a majority of these voters elects no other. */
    private long by(Set<String> voters) {
        int needed = voters.size() / 2 + 1 - (voters.contains(self) ? 1 : 0);
        if (needed <= 0) {
            return FOREVER;
        }
        long best = NONE;
        for (Map.Entry<String, Sign> one : signs.entrySet()) {
            long from = one.getValue().sentAt;
            if (voters.contains(one.getKey()) && since(voters, from) >= needed) {
                long end = from + length();
                best = best == NONE || end - best > 0 ? end : best;
            }
        }
        return best;
    }

    /** How many of these gave a sign of life as late as this or later. */
    private int since(Set<String> voters, long from) {
        int count = 0;
        for (Map.Entry<String, Sign> one : signs.entrySet()) {
            if (voters.contains(one.getKey()) && !one.getKey().equals(self) && one.getValue().sentAt - from >= 0) {
                count++;
            }
        }
        return count;
    }
}
