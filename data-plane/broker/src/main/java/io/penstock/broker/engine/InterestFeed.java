package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.penstock.broker.route.WireName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells one route what this node wants. Changes are only marked; what is told is the state at the moment of telling, so
 * that neither the order of changes nor their number matters. What a client subscribed to before it published is told
 * before its message leaves, since the marks of a lane are read before its bytes are taken.
 */
final class InterestFeed {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final RouteConnection route;
    private final Queue<Interest> changed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** What the other side knows; the loop's thread. */
    private final Map<Interest, Integer> told = new HashMap<>();

    private boolean open;

    /** Whether what comes is news. */
    private boolean begun;

    InterestFeed(RouteConnection route) {
        this.route = route;
    }

    /** Marks a change; from any thread. */
    void mark(Interest interest) {
        changed.add(interest);
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            route.lane.loop.execute(this::drain);
        }
    }

    /** Tells all there is; on the loop, when the route has opened and is marked for changes. */
    void begin() {
        open = true;
        ByteBuf out = null;
        for (LocalAccount account : route.engine.registry().locals()) {
            if (route.carries(account.name())) {
                for (Interest interest : account.interest().all()) {
                    out = tell(interest, out, false);
                }
            }
        }
        pass(out);
        drain();
        begun = true;
    }

    /** On the loop. */
    void drain() {
        scheduled.set(false);
        if (!open || route.isClosing()) {
            return;
        }
        ByteBuf out = null;
        Interest interest;
        while ((interest = changed.poll()) != null) {
            out = tell(interest, out, begun);
        }
        pass(out);
    }

    private ByteBuf tell(Interest interest, ByteBuf before, boolean traced) {
        LocalAccount account = (LocalAccount) route.engine.registry().find(interest.account());
        int weight = account == null ? 0 : account.interest().weight(interest);
        Integer known = weight == 0 ? told.remove(interest) : told.put(interest, weight);
        if (weight == (known == null ? 0 : known)) {
            return before;
        }
        ByteBuf out = before == null ? Lane.allocator().directBuffer(BUFFER_BYTES) : before;
        StringBuilder line = new StringBuilder(weight == 0 ? "RS- " : "RS+ ");
        if (!route.isDedicated()) {
            line.append(WireName.encode(interest.account())).append(' ');
        }
        line.append(interest.pattern());
        if (interest.queue() != null) {
            line.append(' ').append(interest.queue());
            if (weight > 0) {
                line.append(' ').append(weight);
            }
        }
        if (traced && route.trace != null) {
            route.trace.told(line.toString());
        }
        out.writeBytes(line.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        return out;
    }

    private void pass(ByteBuf lines) {
        if (lines != null) {
            route.outbound.add(lines);
        }
    }
}
