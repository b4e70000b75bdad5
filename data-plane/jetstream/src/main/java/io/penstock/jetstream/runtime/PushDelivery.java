package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ConsumerConfig;

/**
 * How a push consumer sends: only while somebody listens, no faster than its rate, with heartbeats in silence and with
 * flow control when asked for. Owned by the loop.
 *
 * <p>Flow control keeps a window of bytes on their way. It begins at a sixteenth of the limit and doubles with each
 * answer. When half of it is used a request is sent behind the messages; its answer frees what was sent before it.
 */
final class PushDelivery {
    private static final long WINDOW_LIMIT = 32L << 20;
    private static final String TOKEN_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final ConsumerRuntime consumer;
    private final Engine engine;
    private final AccountRuntime account;
    private String subject;
    private InternalSubscription watch;
    private boolean active;
    private long inactiveSince;

    private GroupLoop.Timer heartbeatTimer;
    private long lastSent;

    private long window = WINDOW_LIMIT / 16;
    private long onTheirWay;
    private String requestSubject = "";
    private long requestCovers;

    /** The earliest time at which the rate allows another message. */
    private long rateFree;

    PushDelivery(ConsumerRuntime consumer, Engine engine, AccountRuntime account) {
        this.consumer = consumer;
        this.engine = engine;
        this.account = account;
    }

    void start() {
        ConsumerConfig config = consumer.config();
        subject = Subjects.fromUtf8(config.deliverSubject());
        inactiveSince = engine.loop().steady();
        lastSent = inactiveSince;
        String watched = subject;
        active = account.hasInterest(watched);
        watch = account.client()
                .watchInterest(watched, present -> engine.loop().execute(() -> interest(watched, present)));
        if (config.idleHeartbeat() > 0) {
            heartbeatTimer = engine.loop().schedule(config.idleHeartbeat(), this::heartbeat);
        }
        // The watch tells later; whoever asks for the consumer now is told the truth already.
        if (account.hasInterest(subject)) {
            interest(watched, true);
        }
    }

    void stop() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
        if (heartbeatTimer != null) {
            heartbeatTimer.cancel();
            heartbeatTimer = null;
        }
        active = false;
    }

    private void interest(String watched, boolean present) {
        if (watch == null || !watched.equals(subject) || present == active) {
            return;
        }
        active = present;
        if (present) {
            consumer.wake();
        } else {
            lostInterest();
        }
    }

    /** Nobody took the last message. */
    void lostInterest() {
        active = false;
        inactiveSince = engine.loop().steady();
        // What was on its way to whoever left will not be answered for.
        onTheirWay = 0;
        requestSubject = "";
        requestCovers = 0;
        consumer.inactive();
    }

    boolean active() {
        return active;
    }

    long inactiveSince() {
        return inactiveSince;
    }

    String subject() {
        return subject;
    }

    /** Whether a message may go out now; when the rate forbids it, the consumer is woken in time. */
    boolean open(long now) {
        if (!active || (consumer.config().flowControl() && onTheirWay > window)) {
            return false;
        }
        if (rateFree > now) {
            engine.loop().schedule(rateFree - now, consumer::wake);
            return false;
        }
        return true;
    }

    /** A message of this size went out. */
    void sent(long size, long now) {
        lastSent = now;
        long bits = consumer.config().rateLimitBps();
        if (bits > 0) {
            rateFree = Math.max(now, rateFree) + (long) (size * 8e9 / bits);
        }
        if (!consumer.config().flowControl()) {
            return;
        }
        onTheirWay += size;
        if (requestSubject.isEmpty() && onTheirWay > window / 2) {
            requestAnswer();
        }
    }

    private void requestAnswer() {
        StringBuilder token = new StringBuilder(4);
        for (int i = 0; i < 4; i++) {
            token.append(TOKEN_LETTERS.charAt(engine.random().nextInt(TOKEN_LETTERS.length())));
        }
        requestSubject = "$JS.FC." + consumer.subjectNames() + "." + token;
        requestCovers = onTheirWay;
        account.send(subject, requestSubject, Headers.status("100 FlowControl Request", ""), Headers.NONE);
    }

    /** The receiver has dealt with what was sent before the request. */
    void answered(String answerSubject) {
        if (!answerSubject.equals(requestSubject)) {
            return;
        }
        window = Math.min(window * 2, WINDOW_LIMIT);
        onTheirWay = Math.max(0, onTheirWay - requestCovers);
        requestSubject = "";
        requestCovers = 0;
        consumer.wake();
    }

    private void heartbeat() {
        heartbeatTimer = null;
        long pause = consumer.config().idleHeartbeat();
        long now = engine.loop().steady();
        long due = lastSent + pause;
        if (now >= due) {
            lastSent = now;
            due = now + pause;
            if (active) {
                String stalled = requestSubject.isEmpty() ? "" : "Nats-Consumer-Stalled: " + requestSubject + "\r\n";
                account.send(subject, null, consumer.idleHeartbeat(stalled), Headers.NONE);
            }
        }
        heartbeatTimer = engine.loop().schedule(Math.max(1, due - now), this::heartbeat);
    }
}
