package io.penstock.consensus.link;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one peer: its address, its connection if there is one, the requests that wait for an answer. State belongs
 * to the link's thread but for what is volatile or concurrent.
 *
 * <p>Either side calls; who has a link that lives takes no other. Should two come about at the same moment, the one
 * called by the node whose name comes first stays.
 */
final class Peer {
    /** Why one of two links that were made at the same time is given up. */
    static final String CROSSED = "there is a link already";

    private static final Logger LOG = LoggerFactory.getLogger(Peer.class);
    private static final long FIRST_WAIT_MILLIS = 50;
    private static final long LONGEST_WAIT_MILLIS = 1_000;

    /** The node whose name comes later leaves the greeting to the other for so long. */
    private static final long COURTESY_MILLIS = 250;

    private record Waiting(LinkConnection connection, long deadline, CompletableFuture<byte[]> answer) {}

    final String name;
    private final TcpPeerLinks links;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

    private volatile LinkConnection connection;

    /** Whom to call; null host: only it may call us. */
    private String host;

    private int port;
    private boolean forgotten;
    private boolean calling;
    private boolean callScheduled;
    private boolean tellRefusal;
    private boolean toldSilence;
    private long waitMillis = FIRST_WAIT_MILLIS;
    private String lastComplaint = "";

    Peer(TcpPeerLinks links, String name) {
        this.links = links;
        this.name = name;
    }

    boolean up() {
        return connection != null;
    }

    boolean known() {
        return host != null && !forgotten;
    }

    private boolean callsFirst() {
        return links.self().compareTo(name) < 0;
    }

    // --- requests, any thread -------------------------------------------------------------------------------------

    CompletableFuture<byte[]> request(String channel, byte[] payload, Duration patience) {
        LinkConnection present = connection;
        if (present == null) {
            return links.failedLater(new LinkException(LinkException.Reason.DOWN, "no link to " + name));
        }
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        long id = ids.incrementAndGet();
        waiting.put(id, new Waiting(present, System.nanoTime() + patience.toNanos(), answer));
        if (!present.send(new LinkFrame(LinkFrame.Kind.REQUEST, id, channel, payload))) {
            waiting.remove(id);
            return links.failedLater(
                    new LinkException(LinkException.Reason.BUSY, "too much waits to be sent to " + name));
        }
        if (connection != present && waiting.remove(id) != null) {
            // It broke in between, and whoever told the waiting may have missed this one.
            return links.failedLater(new LinkException(LinkException.Reason.DOWN, "the link to " + name + " broke"));
        }
        return answer;
    }

    boolean send(String channel, byte[] payload) {
        LinkConnection present = connection;
        return present != null && present.send(new LinkFrame(LinkFrame.Kind.NOTICE, 0, channel, payload));
    }

    void answered(LinkFrame frame) {
        Waiting asked = waiting.remove(frame.id());
        if (asked == null) {
            return;
        }
        if (frame.kind() == LinkFrame.Kind.REPLY) {
            asked.answer.complete(frame.payload());
        } else {
            asked.answer.completeExceptionally(new LinkException(
                    LinkException.Reason.REFUSED,
                    name + ": " + new String(frame.payload(), java.nio.charset.StandardCharsets.UTF_8)));
        }
    }

    // --- connection, the link's thread ----------------------------------------------------------------------------

    void address(String newHost, int newPort) {
        boolean moved = !newHost.equals(host) || newPort != port;
        host = newHost;
        port = newPort;
        forgotten = false;
        if (moved && connection == null) {
            waitMillis = FIRST_WAIT_MILLIS;
            call();
        }
    }

    void forget() {
        forgotten = true;
        close("this node is not a peer any more");
    }

    void close(String reason) {
        if (connection != null) {
            connection.close(reason);
        }
    }

    /** Null when the caller may come in. */
    String judge(LinkConnection incoming, Handshake.Hello caller) {
        if (forgotten) {
            return "node '" + caller.name() + "' is not of this cluster any more";
        }
        LinkConnection present = connection;
        if (present == null) {
            return null;
        }
        boolean alive = present.silentNanos() < links.silenceNanos() / 2;
        if (present.peerLife() != caller.life()) {
            return alive ? "another node has the name '" + caller.name() + "'" : null;
        }
        return alive ? CROSSED : null;
    }

    void established(LinkConnection fresh) {
        LinkConnection present = connection;
        if (present != null && present != fresh) {
            if (fresh.caller() && !callsFirst() && present.open()) {
                fresh.close(CROSSED);
                return;
            }
            connection = fresh;
            present.close("replaced by another connection");
            fail(present, "the link to " + name + " was replaced");
        } else {
            connection = fresh;
        }
        waitMillis = FIRST_WAIT_MILLIS;
        tellRefusal = false;
        lastComplaint = "";
        if (present == null) {
            LOG.info("link to {} is up", name);
            links.tellUp(name);
        }
    }

    void closed(LinkConnection gone, String reason) {
        fail(gone, "the link to " + name + " broke: " + reason);
        if (connection != gone) {
            if (gone.caller()) {
                complain(reason);
                callLater();
            }
            return;
        }
        connection = null;
        LOG.info("link to {} is down: {}", name, reason);
        tellRefusal = true;
        waitMillis = FIRST_WAIT_MILLIS;
        links.tellDown(name);
        call();
    }

    private void fail(LinkConnection gone, String reason) {
        LinkException failure = new LinkException(LinkException.Reason.DOWN, reason);
        for (Iterator<Waiting> each = waiting.values().iterator(); each.hasNext(); ) {
            Waiting asked = each.next();
            if (asked.connection == gone) {
                each.remove();
                asked.answer.completeExceptionally(failure);
            }
        }
    }

    private void complain(String reason) {
        if (!reason.equals(lastComplaint)) {
            lastComplaint = reason;
            if (reason.contains(CROSSED)) {
                LOG.debug("the second link to {} is given up: {}", name, reason);
            } else {
                LOG.warn("no link to {} at {}:{}: {}", name, host, port, reason);
            }
        }
    }

    private void call() {
        if (!known() || connection != null || calling || links.closing()) {
            return;
        }
        calling = true;
        LinkConnection made = links.newConnection(name);
        ChannelFuture connected = links.connect(host, port, made);
        connected.addListener(done -> {
            if (!done.isSuccess()) {
                calling = false;
                notConnected(done.cause());
            } else if (callsFirst()) {
                calling = false;
                made.greet();
            } else {
                var _ = connected
                        .channel()
                        .eventLoop()
                        .schedule(
                                () -> {
                                    calling = false;
                                    if (connection == null
                                            && !connected.channel().isActive()) {
                                        call();
                                    } else if (connection == null) {
                                        made.greet();
                                    } else {
                                        made.close(CROSSED);
                                    }
                                },
                                COURTESY_MILLIS,
                                java.util.concurrent.TimeUnit.MILLISECONDS);
            }
        });
    }

    private void notConnected(Throwable cause) {
        complain(String.valueOf(cause.getMessage()));
        if (tellRefusal && cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)) {
            tellRefusal = false;
            links.tellRefused(name);
        }
        callLater();
    }

    private void callLater() {
        if (callScheduled || !known() || links.closing()) {
            return;
        }
        callScheduled = true;
        links.later(waitMillis, () -> {
            callScheduled = false;
            call();
        });
        waitMillis = Math.min(LONGEST_WAIT_MILLIS, waitMillis * 2);
    }

    /** Time passes: signs of life, requests without an answer. */
    void tick(long now, boolean ping) {
        LinkConnection present = connection;
        boolean silent = present != null && present.silentNanos() > links.doubtNanos();
        if (silent && !toldSilence) {
            links.tellSilent(name);
        }
        toldSilence = silent;
        if (present != null && present.silentNanos() > links.silenceNanos()) {
            present.close("nothing heard for "
                    + Duration.ofNanos(present.silentNanos()).toMillis() + " ms");
        } else if (present != null && ping) {
            present.send(new LinkFrame(LinkFrame.Kind.PING, 0, "", LinkFrame.NOTHING));
        }
        for (Iterator<Waiting> each = waiting.values().iterator(); each.hasNext(); ) {
            Waiting asked = each.next();
            if (asked.deadline - now <= 0) {
                each.remove();
                asked.answer.completeExceptionally(
                        new LinkException(LinkException.Reason.TIMEOUT, "no answer of " + name + " in time"));
            }
        }
    }
}
