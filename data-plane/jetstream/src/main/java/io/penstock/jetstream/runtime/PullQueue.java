package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.PullRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The pull requests of one consumer, served in turn: one that got a message and wants more goes to the end. Owned by the
 * loop.
 */
final class PullQueue {
    private static final PullRequest ONE = new PullRequest(0, 1, 0, false, 0, "", 0, 0, "", 0);

    private final ConsumerRuntime consumer;
    private final AccountRuntime account;
    private final GroupLoop loop;
    private final ArrayDeque<PullWaiter> waiting = new ArrayDeque<>();
    private GroupLoop.Timer timer;
    private long timerAt = Long.MAX_VALUE;
    private long lastActive;

    PullQueue(ConsumerRuntime consumer, AccountRuntime account, GroupLoop loop) {
        this.consumer = consumer;
        this.account = account;
        this.loop = loop;
        this.lastActive = loop.steady();
    }

    // --- requests -------------------------------------------------------------------------------------------------

    /** Takes a request in. */
    void request(String reply, byte[] body) {
        PullRequest request;
        try {
            request = parse(body);
        } catch (InvalidJsonException e) {
            status(reply, "400 Bad Request - " + e.getMessage(), "");
            return;
        }
        String refusal = refusal(request);
        if (refusal != null) {
            status(reply, refusal, "");
            return;
        }
        long now = loop.steady();
        ConsumerConfig config = consumer.config();
        if (waiting.size() >= config.maxWaiting()) {
            dropDead(now);
        }
        if (request.noWait() && !worthWaiting(request, reply, now)) {
            return;
        }
        if (waiting.size() >= config.maxWaiting()) {
            if (request.idleHeartbeat() == 0) {
                status(reply, "409 Exceeded MaxWaiting", "");
            }
            return;
        }
        lastActive = now;
        long expires = request.expires() > 0 ? now + request.expires() : 0;
        waiting.add(new PullWaiter(
                reply,
                Math.max(1, request.batch()),
                request.maxBytes(),
                request.noWait(),
                expires,
                request.idleHeartbeat(),
                now));
        schedule();
        consumer.wake();
    }

    /** Whether a request that does not want to wait is kept; it is answered when it is not. */
    private boolean worthWaiting(PullRequest request, String reply, long now) {
        long pending = consumer.available();
        if (pending == 0) {
            // Another may lead and have some: that is told once it is known.
            if (request.expires() > 0 || !consumer.sure()) {
                return true;
            }
            lastActive = now;
            status(reply, "404 No Messages", "");
            return false;
        }
        long wanted = 0;
        for (PullWaiter waiter : waiting) {
            wanted += waiter.left();
        }
        if (pending < wanted) {
            lastActive = now;
            status(reply, "408 Requests Pending", "");
            return false;
        }
        return true;
    }

    private static PullRequest parse(byte[] body) throws InvalidJsonException {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            return ONE;
        }
        if (text.charAt(0) == '{') {
            PullRequest request = JetStreamJson.read(text.getBytes(StandardCharsets.UTF_8), PullRequest.class, false);
            if (request.idleHeartbeat() > 0 && request.idleHeartbeat() * 2 > request.expires()) {
                throw new InvalidJsonException("heartbeat value too large");
            }
            return request;
        }
        try {
            return new PullRequest(0, Integer.parseInt(text), 0, false, 0, "", 0, 0, "", 0);
        } catch (NumberFormatException e) {
            return ONE;
        }
    }

    private String refusal(PullRequest request) {
        ConsumerConfig config = consumer.config();
        if (config.maxBatch() > 0 && request.batch() > config.maxBatch()) {
            return "409 Exceeded MaxRequestBatch of " + config.maxBatch();
        }
        if (config.maxExpires() > 0 && request.expires() > config.maxExpires()) {
            return "409 Exceeded MaxRequestExpires of " + GoTime.formatDuration(config.maxExpires());
        }
        if (config.maxBytes() > 0 && request.maxBytes() > config.maxBytes()) {
            return "409 Exceeded MaxRequestMaxBytes of " + config.maxBytes();
        }
        if (request.minPending() != 0 || request.minAckPending() != 0) {
            return "400 Bad Request - Not a Overflow Priority consumer";
        }
        if (!request.id().isEmpty()) {
            return "400 Bad Request - Not a Pinned Client Priority consumer";
        }
        if (request.priority() < 0 || request.priority() > 9) {
            return "400 Bad Request - Priority must be between 0 and 9";
        }
        return null;
    }

    // --- serving --------------------------------------------------------------------------------------------------

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    /** The request that a message of this size goes to, or null; requests that cannot take it any more are told. */
    PullWaiter next(long size, long now) {
        for (PullWaiter first = waiting.peek(); first != null; first = waiting.peek()) {
            if (first.expired(now)) {
                waiting.remove();
                timedOut(first);
            } else if (!first.fits(size)) {
                waiting.remove();
                status(first.reply(), "409 Message Size Exceeds MaxBytes", left(first));
            } else {
                return first;
            }
        }
        return null;
    }

    /** The message went to this request, the first. */
    void sent(PullWaiter waiter, long size, long now) {
        waiting.remove();
        waiter.sent(size, now);
        if (!waiter.done()) {
            waiting.add(waiter);
        } else if (waiter.bytesRemain()) {
            status(waiter.reply(), "409 Batch Completed", left(waiter));
        }
    }

    /** Nobody listens to this request any more, the first. */
    void gone(PullWaiter waiter) {
        waiting.remove(waiter);
    }

    /** There is nothing more to hand out now: requests that do not want to wait are told. */
    void atEnd() {
        for (Iterator<PullWaiter> it = waiting.iterator(); it.hasNext(); ) {
            PullWaiter waiter = it.next();
            if (waiter.noWait() && (!waiter.expires() || waiter.delivered() > 0)) {
                it.remove();
                lastActive = loop.steady();
                status(waiter.reply(), "404 No Messages", "");
            }
        }
        schedule();
    }

    private void timedOut(PullWaiter waiter) {
        lastActive = loop.steady();
        status(waiter.reply(), "408 Request Timeout", left(waiter));
    }

    private static String left(PullWaiter waiter) {
        return "Nats-Pending-Messages: " + waiter.left() + "\r\nNats-Pending-Bytes: " + waiter.bytesLeft() + "\r\n";
    }

    private void status(String reply, String status, String lines) {
        account.send(reply, null, Headers.status(status, lines), Headers.NONE);
    }

    // --- time -----------------------------------------------------------------------------------------------------

    private void schedule() {
        long next = Long.MAX_VALUE;
        for (PullWaiter waiter : waiting) {
            next = Math.min(next, waiter.nextTime());
        }
        if (next == Long.MAX_VALUE || (timer != null && timerAt <= next)) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timerAt = next;
        timer = loop.schedule(Math.max(0, next - loop.steady()), this::onTime);
    }

    private void onTime() {
        timer = null;
        timerAt = Long.MAX_VALUE;
        long now = loop.steady();
        for (Iterator<PullWaiter> it = waiting.iterator(); it.hasNext(); ) {
            PullWaiter waiter = it.next();
            if (waiter.expired(now)) {
                it.remove();
                timedOut(waiter);
            } else if (!account.hasInterest(waiter.reply())) {
                it.remove();
            } else if (waiter.heartbeatDue(now)) {
                waiter.heartbeatSent(now);
                account.send(waiter.reply(), null, consumer.idleHeartbeat(""), Headers.NONE);
            }
        }
        schedule();
    }

    /** Forgets requests that nobody listens to any more. */
    void dropDead(long now) {
        waiting.removeIf(waiter -> {
            if (waiter.expired(now)) {
                timedOut(waiter);
                return true;
            }
            return !account.hasInterest(waiter.reply());
        });
    }

    /** When somebody last asked, nanoseconds since the epoch. */
    long lastActive() {
        return lastActive;
    }

    /** Tells every request that it will not be served, and why. */
    void close(String reason) {
        waiting.forEach(waiter -> status(waiter.reply(), "409 " + reason, ""));
        waiting.clear();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
