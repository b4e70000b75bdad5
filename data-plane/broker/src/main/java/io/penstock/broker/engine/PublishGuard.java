package io.penstock.broker.engine;

import io.penstock.broker.permission.Permissions;
import io.penstock.broker.permission.ResponsePermission;
import io.penstock.protocol.SubjectHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Decides for one connection what it may publish: answers of its permissions are remembered by subject, and replies it
 * may give are tracked. On the connection's loop.
 */
final class PublishGuard {
    private static final int CACHED = 128;
    private static final int TRACKED_BEFORE_SWEEP = 1024;

    private final Permissions permissions;
    private final byte[][] subjects = new byte[CACHED][];
    private final boolean[] answers = new boolean[CACHED];
    private final Map<String, Leave> replies = new HashMap<>();
    private int sweepAt = TRACKED_BEFORE_SWEEP;

    /** What is left of the leave to publish to one reply subject. */
    private static final class Leave {
        private int left;
        private final long until;

        private Leave(int left, long until) {
            this.left = left;
            this.until = until;
        }
    }

    PublishGuard(Permissions permissions) {
        this.permissions = permissions;
    }

    boolean allows(byte[] bytes, int offset, int length, long now) {
        int slot = SubjectHash.of(bytes, offset, length) & (CACHED - 1);
        byte[] cached = subjects[slot];
        if (cached == null || !Arrays.equals(cached, 0, cached.length, bytes, offset, offset + length)) {
            cached = Arrays.copyOfRange(bytes, offset, offset + length);
            answers[slot] = permissions.canPublish(new String(cached, StandardCharsets.ISO_8859_1));
            subjects[slot] = cached;
        }
        return answers[slot] || (!replies.isEmpty() && takeReply(cached, now));
    }

    private boolean takeReply(byte[] subject, long now) {
        String reply = new String(subject, StandardCharsets.ISO_8859_1);
        Leave leave = replies.get(reply);
        if (leave == null) {
            return false;
        }
        if (leave.until - now < 0 || leave.left == 0) {
            replies.remove(reply);
            return false;
        }
        if (leave.left > 0 && --leave.left == 0) {
            replies.remove(reply);
        }
        return true;
    }

    /** The connection received messages with these reply subjects. */
    void received(List<String> subjects, long now) {
        ResponsePermission responses = permissions.responses();
        if (responses == null) {
            return;
        }
        long until = responses.ttl().isNegative()
                ? now + Long.MAX_VALUE / 2
                : now + Math.min(responses.ttl().toNanos(), Long.MAX_VALUE / 2);
        for (String reply : subjects) {
            replies.put(reply, new Leave(responses.maxMessages(), until));
        }
        if (replies.size() > sweepAt) {
            sweep(now);
        }
    }

    private void sweep(long now) {
        for (Iterator<Leave> it = replies.values().iterator(); it.hasNext(); ) {
            if (it.next().until - now < 0) {
                it.remove();
            }
        }
        sweepAt = Math.max(TRACKED_BEFORE_SWEEP, replies.size() * 2);
    }
}
