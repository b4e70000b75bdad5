package io.penstock.broker.engine;

import io.netty.channel.Channel;
import io.penstock.broker.Account;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.Identity;
import io.penstock.broker.Subscription;
import io.penstock.broker.TraceOptions;
import io.penstock.broker.UserLimits;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.broker.permission.Permissions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** One client, from accept to close. The protocol itself is in {@link ClientSession}. */
final class ClientConnection extends Wire implements Connection {
    final ClientSession session;

    /** Written by the loop before the connection is in any graph; read by all lanes. */
    boolean echo = true;

    /** Null while nothing is traced. Written by the loop; lanes may see a change a moment later. */
    ProtocolTrace trace;

    private volatile String label;

    private volatile ConnectionInfo info;
    private volatile WebSocketFraming framing;
    private ClientInput input;
    private CookieCredentials cookies = CookieCredentials.NONE;

    ClientConnection(BrokerEngine engine, LoopLane lane, Channel channel, ConnectionInfo info) {
        super(
                engine,
                lane,
                channel,
                engine.pingInterval(info.type()).toNanos(),
                engine.options().pingMax());
        this.info = info;
        this.label = ConnectionLabel.of(info);
        this.session = new ClientSession(this);
        applyOptions();
        applyTrace();
    }

    /** Takes over options that may change while it lives. */
    void applyOptions() {
        backpressure.apply(engine.options().maxPending());
    }

    /** On the loop. */
    void applyTrace() {
        TraceOptions wanted = engine.options().trace();
        trace = wanted.clients() ? new ProtocolTrace(wanted, this::label) : null;
        session.parser().setTap(trace);
    }

    /** How the log names it. */
    String label() {
        return label;
    }

    void setLabel(String changed) {
        label = changed;
    }

    @Override
    void sending(byte[] bytes) {
        if (trace != null) {
            trace.sent(bytes);
        }
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
        label = ConnectionLabel.of(changed);
    }

    void setFraming(WebSocketFraming webSocket) {
        framing = webSocket;
    }

    @Override
    boolean isReadyForPing() {
        return session.isConnected() && !isClosing();
    }

    @Override
    LocalAccount boundAccount() {
        return session.account();
    }

    @Override
    void beforeTake(Transfer transfer) {
        if (transfer.replies() != null) {
            session.trackReplies(transfer.replies());
        }
    }

    @Override
    long writeDeadlineNanos() {
        return engine.options().writeDeadline().toNanos();
    }

    @Override
    void reportSlow(ClosedReason reason) {
        engine.slowConsumer(this, reason);
    }

    @Override
    void stale() {
        engine.counters().staleConnections.increment();
        close(ClosedReason.STALE_CONNECTION, ErrorText.STALE);
    }

    @Override
    void stopped(ClosedReason reason) {
        session.stop();
        engine.ended(this, reason);
    }

    @Override
    void writeFarewell(ClosedReason reason) {
        WebSocketFraming webSocket = framing;
        if (webSocket != null) {
            webSocket.writeClose(reason);
        }
    }

    @Override
    boolean isEncrypted() {
        return info.tls();
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
    public long inMessages() {
        return session.inMessages();
    }

    @Override
    public long inBytes() {
        return session.inBytes();
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
        return isClosing();
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
        onLoop(() -> keepAlive().setInterval(interval.toNanos()));
    }
}
