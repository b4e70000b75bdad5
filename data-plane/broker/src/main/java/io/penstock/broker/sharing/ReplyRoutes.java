package io.penstock.broker.sharing;

import io.penstock.broker.Account;
import io.penstock.broker.MessageTarget;
import io.penstock.broker.RoutedMessage;
import io.penstock.broker.Subscription;
import io.penstock.broker.sharing.ExportConfig.ResponseType;
import io.penstock.broker.sharing.LatencyTracker.Measurement;
import io.penstock.broker.sharing.LatencyTracker.Outcome;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The ways back of requests that came into one exporting account: reply subjects {@code _R_.PREFIX.TOKEN}, each good for
 * one answer, or for a stream of them. The token cannot be guessed, so nobody in the exporting account can answer a
 * request that was not given to it.
 */
final class ReplyRoutes implements MessageTarget, AutoCloseable {
    /** Most requests of one exporting account that may wait for an answer; more are refused as unanswerable. */
    static final int MAX_OPEN = 1 << 20;

    private static final char[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".toCharArray();
    private static final int PREFIX_LENGTH = 6;
    private static final int TOKEN_LENGTH = 11;

    // One generator a thread: a shared one is a lock that all event loops would meet at.
    private static final ThreadLocal<SecureRandom> RANDOM = ThreadLocal.withInitial(SecureRandom::new);

    /** One open way back. */
    private static final class Route {
        final Account requester;
        final String reply;
        final boolean single;
        final long thresholdNanos;
        // Both null when the request is not measured.
        final LatencyTracker latency;
        final Measurement measurement;
        volatile long deadline;

        Route(
                Account requester,
                String reply,
                boolean single,
                long thresholdNanos,
                long now,
                LatencyTracker latency,
                Measurement measurement) {
            this.requester = requester;
            this.reply = reply;
            this.single = single;
            this.thresholdNanos = thresholdNanos;
            this.deadline = now + thresholdNanos;
            this.latency = latency;
            this.measurement = measurement;
        }
    }

    private final String prefix;
    private final LongSupplier nanoTime;
    private final ConcurrentHashMap<String, Route> open = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Subscription subscription;

    ReplyRoutes(Account exporter, LongSupplier nanoTime) {
        this.prefix = "_R_." + token(PREFIX_LENGTH) + ".";
        this.nanoTime = nanoTime;
        this.subscription = exporter.subscribe(prefix + "*", null, this);
    }

    /** As the other, without measuring. */
    String open(Account requester, String reply, ResponseType type, Duration threshold) {
        return open(requester, reply, type, threshold, null, null);
    }

    /**
     * A reply subject in the exporting account that leads to {@code reply} in the requester's.
     *
     * @param measurement what the answer ends, or null
     * @return null when too many wait for an answer
     */
    String open(
            Account requester,
            String reply,
            ResponseType type,
            Duration threshold,
            LatencyTracker latency,
            Measurement measurement) {
        if (count.get() >= MAX_OPEN) {
            return null;
        }
        Route route = new Route(
                requester,
                reply,
                type == ResponseType.SINGLETON,
                threshold.toNanos(),
                nanoTime.getAsLong(),
                latency,
                measurement);
        String token = token(TOKEN_LENGTH);
        open.put(token, route);
        count.incrementAndGet();
        return prefix + token;
    }

    void cancel(String routed) {
        remove(routed.substring(prefix.length()));
    }

    private Route remove(String token) {
        Route route = open.remove(token);
        if (route != null) {
            count.decrementAndGet();
        }
        return route;
    }

    @Override
    public int deliver(RoutedMessage message) {
        String token = message.route().substring(prefix.length());
        Route route = open.get(token);
        if (route == null || (route.single && remove(token) == null)) {
            return 0;
        }
        // An empty message is how a responder says that its stream of answers has ended.
        if (!route.single && message.payloadLength() == 0 && message.headersLength() == 0) {
            remove(token);
        }
        route.deadline = nanoTime.getAsLong() + route.thresholdNanos;
        int reached = message.relay(route.requester, route.reply, message.reply());
        if (route.measurement != null) {
            route.latency.answered(route.measurement, message, reached > 0 ? Outcome.ANSWERED : Outcome.REQUESTER_GONE);
        }
        if (reached == 0 && !route.single && !route.requester.hasInterest(route.reply)) {
            remove(token);
        }
        return reached;
    }

    /** Closes ways that nobody has used for their export's threshold. */
    void expire() {
        long now = nanoTime.getAsLong();
        open.forEach((token, route) -> {
            if (now - route.deadline >= 0 && remove(token) != null && route.measurement != null) {
                route.latency.failed(route.measurement, Outcome.TIMED_OUT);
            }
        });
    }

    int openCount() {
        return count.get();
    }

    private static String token(int length) {
        SecureRandom random = RANDOM.get();
        char[] token = new char[length];
        for (int i = 0; i < length; i++) {
            token[i] = ALPHABET[random.nextInt(ALPHABET.length)];
        }
        return new String(token);
    }

    @Override
    public void close() {
        subscription.remove();
        open.clear();
    }
}
