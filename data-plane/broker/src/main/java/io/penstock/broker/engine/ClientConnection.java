package io.penstock.broker.engine;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.penstock.broker.Account;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.Identity;
import io.penstock.broker.Subscription;
import io.penstock.broker.UserLimits;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.broker.permission.Permissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client: what other lanes need in order to deliver to it, and its life from accept to close. The protocol itself is
 * in {@link ClientSession}.
 */
final class ClientConnection implements Connection {
    /** How long input is discarded after the last word, so that the client can read it before a reset. */
    private static final long LINGER_MILLIS = 250;

    private static final long CLOSE_TIMEOUT_MILLIS = 2000;

    final BrokerEngine engine;
    final LoopLane lane;
    final OutboundQueue outbound;
    final Backpressure backpressure;
    final ClientSession session;
    private final Channel channel;
    private final ReadHolds holds;
    /** One for each lane; a slot is touched by its lane only. */
    private final Outbox[] outboxes;

    /** Written by the loop before the connection is in any graph; read by all lanes. */
    boolean echo = true;

    boolean headers;
    volatile boolean tracksReplies;
    private volatile boolean closing;

    private final Instant started;
    private final KeepAlive keepAlive;
    private volatile ConnectionInfo info;
    private volatile WebSocketFraming framing;
    private ClientInput input;
    private CookieCredentials cookies = CookieCredentials.NONE;
    private long lastHeard;
    private volatile long lastActivityMillis;

    /** Written by the loop. */
    private final AtomicLong outMessages = new AtomicLong();

    private final AtomicLong outBytes = new AtomicLong();

    ClientConnection(BrokerEngine engine, LoopLane lane, Channel channel, ConnectionInfo info) {
        this.engine = engine;
        this.lane = lane;
        this.channel = channel;
        this.info = info;
        this.outbound = new OutboundQueue(this);
        this.outboxes = new Outbox[engine.lanes().count()];
        this.holds = new ReadHolds(channel);
        this.backpressure = new Backpressure(this, holds);
        this.session = new ClientSession(this);
        this.started = Instant.now();
        this.lastActivityMillis = started.toEpochMilli();
        this.keepAlive = new KeepAlive(
                this,
                engine.pingInterval(info.type()).toNanos(),
                engine.options().pingMax());
        applyOptions();
    }

    /** Takes over options that may change while it lives. */
    void applyOptions() {
        backpressure.apply(engine.options());
    }

    void startKeepAlive() {
        lastHeard = System.nanoTime();
        keepAlive.start();
    }

    KeepAlive keepAlive() {
        return keepAlive;
    }

    ReadHolds holds() {
        return holds;
    }

    Channel channel() {
        return channel;
    }

    CookieCredentials cookies() {
        return cookies;
    }

    void setCookies(CookieCredentials credentials) {
        cookies = credentials;
    }

    ClientInput input() {
        return input;
    }

    void setInput(ClientInput handler) {
        input = handler;
    }

    void setInfo(ConnectionInfo changed) {
        info = changed;
    }

    void setFraming(WebSocketFraming webSocket) {
        framing = webSocket;
    }

    void heard(long now) {
        lastHeard = now;
        lastActivityMillis = System.currentTimeMillis();
    }

    long lastHeard() {
        return lastHeard;
    }

    boolean isReadyForPing() {
        return session.isConnected() && !closing;
    }

    // Delivery, from any lane.

    Outbox outbox(Lane from) {
        Outbox outbox = outboxes[from.index];
        if (outbox == null) {
            outbox = new Outbox(this, from);
            outboxes[from.index] = outbox;
        }
        return outbox;
    }

    LocalAccount boundAccount() {
        return session.account();
    }

    /** Whether a message may be added; a receiver that lags slows the publisher, or loses the message. */
    boolean takesMore(Lane from, Frame message) {
        return !closing && backpressure.admits(from, message);
    }

    /** Takes bytes from a lane and brings them to this connection's loop. */
    void accept(Lane from, Transfer transfer) {
        if (from == lane) {
            take(transfer);
            return;
        }
        if (closing || backpressure.isOverflowing()) {
            transfer.bytes().release();
            if (!closing) {
                lane.loop.execute(() -> slowConsumer(ClosedReason.SLOW_CONSUMER_PENDING_BYTES));
            }
            return;
        }
        outbound.sent(transfer.bytes().readableBytes());
        from.leave(lane, transfer);
        if (lane.isInboxFull() && from instanceof LoopLane loop && loop.reader() != null) {
            loop.reader().backpressure.pauseFor(lane);
        }
    }

    /** On the loop. */
    void take(Transfer transfer) {
        if (transfer.replies() != null) {
            session.trackReplies(transfer.replies());
        }
        outMessages.lazySet(outMessages.get() + transfer.messages());
        outBytes.lazySet(outBytes.get() + transfer.messageBytes());
        outbound.add(transfer.bytes());
        if (backpressure.isOverflowing()) {
            slowConsumer(ClosedReason.SLOW_CONSUMER_PENDING_BYTES);
        }
    }

    /** Adds bytes that are no message, in order with the messages of this loop; on the loop. */
    void send(byte[] bytes) {
        if (!closing) {
            lane.outbox(this).raw(bytes);
        }
    }

    long writeDeadlineNanos() {
        return engine.options().writeDeadline().toNanos();
    }

    // The end, on the loop.

    void slowConsumer(ClosedReason reason) {
        if (closing) {
            return;
        }
        engine.slowConsumer(this, reason);
        end(reason);
        outbound.close();
        var _ = channel.close();
    }

    void stale() {
        engine.counters().staleConnections.increment();
        close(ClosedReason.STALE_CONNECTION, ErrorText.STALE);
    }

    /** The socket is gone. */
    void lost(ClosedReason reason) {
        end(reason);
        outbound.close();
    }

    private void end(ClosedReason reason) {
        if (closing) {
            return;
        }
        closing = true;
        backpressure.releaseAll();
        session.stop();
        keepAlive.stop();
        engine.ended(this, reason);
    }

    private void closeOnLoop(ClosedReason reason, byte[] lastWord) {
        if (closing) {
            return;
        }
        Outbox own = outboxes[lane.index];
        if (own != null) {
            own.handOver();
        }
        end(reason);
        if (!channel.isActive() || input == null) {
            outbound.close();
            return;
        }
        if (lastWord != null) {
            outbound.add(Lane.allocator().directBuffer(lastWord.length).writeBytes(lastWord));
        }
        outbound.flushAll();
        WebSocketFraming webSocket = framing;
        if (webSocket != null) {
            webSocket.writeClose(reason);
        }
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) done -> linger());
        var _ = lane.loop.schedule(this::closeChannel, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Closes our half first and reads on for a moment: unread input would make the system drop our last word. */
    private void linger() {
        holds.clear();
        if (!info.tls() && channel instanceof DuplexChannel duplex && channel.isActive()) {
            var _ = duplex.shutdownOutput();
            var _ = lane.loop.schedule(this::closeChannel, LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            closeChannel();
        }
    }

    private void closeChannel() {
        outbound.close();
        var _ = channel.close();
    }

    void onLoop(Runnable task) {
        if (lane.isCurrent()) {
            task.run();
        } else {
            lane.loop.execute(task);
        }
    }

    void forget(Sub sub) {
        onLoop(() -> session.forget(sub));
    }

    // The view of others.

    @Override
    public long id() {
        return info.id();
    }

    @Override
    public ConnectionKind kind() {
        return info.kind();
    }

    @Override
    public ConnectionType type() {
        return info.type();
    }

    @Override
    public ConnectionInfo info() {
        return info;
    }

    @Override
    public ConnectRequest request() {
        return session.request();
    }

    @Override
    public Account account() {
        return session.account();
    }

    @Override
    public Identity identity() {
        return session.identity();
    }

    @Override
    public Permissions permissions() {
        return session.permissions();
    }

    @Override
    public UserLimits limits() {
        return session.limits();
    }

    @Override
    public Instant started() {
        return started;
    }

    @Override
    public Instant lastActivity() {
        return Instant.ofEpochMilli(lastActivityMillis);
    }

    @Override
    public long roundTripNanos() {
        return keepAlive.roundTripNanos();
    }

    @Override
    public long inMessages() {
        return session.inMessages();
    }

    @Override
    public long inBytes() {
        return session.inBytes();
    }

    @Override
    public long outMessages() {
        return outMessages.get();
    }

    @Override
    public long outBytes() {
        return outBytes.get();
    }

    @Override
    public long pendingBytes() {
        return outbound.pending();
    }

    @Override
    public int subscriptionCount() {
        return session.subscriptionCount();
    }

    @Override
    public Collection<Subscription> subscriptions() {
        return List.copyOf(session.subscriptions());
    }

    @Override
    public boolean isClosed() {
        return closing;
    }

    @Override
    public MessageOrigin origin() {
        return session.origin();
    }

    @Override
    public void sendError(String text) {
        onLoop(() -> send(ErrorText.line(text)));
    }

    @Override
    public void close(ClosedReason reason) {
        onLoop(() -> closeOnLoop(reason, null));
    }

    @Override
    public void close(ClosedReason reason, String error) {
        onLoop(() -> closeOnLoop(reason, ErrorText.line(error)));
    }

    @Override
    public void updatePermissions(Permissions permissions) {
        onLoop(() -> session.replacePermissions(permissions));
    }

    @Override
    public void updateLimits(UserLimits limits) {
        onLoop(() -> session.replaceLimits(limits));
    }

    @Override
    public void updateIdentity(Identity identity) {
        onLoop(() -> session.replaceIdentity(identity));
    }

    @Override
    public void sendLameDuck() {
        onLoop(() -> session.sendInfo(true));
    }

    void setPingInterval(Duration interval) {
        onLoop(() -> keepAlive.setInterval(interval.toNanos()));
    }
}
