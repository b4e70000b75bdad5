package io.penstock.broker.engine;

import io.netty.util.concurrent.ScheduledFuture;
import io.penstock.broker.AuthResult;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.Identity;
import io.penstock.broker.Subscription;
import io.penstock.broker.UserLimits;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.broker.permission.Permissions;
import io.penstock.protocol.ParseFailure;
import io.penstock.protocol.ProtocolParser;
import io.penstock.protocol.ProtocolSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The client protocol of one connection: from CONNECT to the last operation. On the connection's loop, but for the fields
 * marked volatile, which others read.
 */
final class ClientSession implements ProtocolSink {
    private static final byte[] OK = "+OK\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PONG = "PONG\r\n".getBytes(StandardCharsets.US_ASCII);

    /** How far the connection has come. */
    private enum Stage {
        /** CONNECT is awaited. */
        NEW,
        /** The authenticator has not answered yet. */
        AUTHENTICATING,
        /** Bound to an account. */
        CONNECTED,
        /** Nothing more is read. */
        ENDED
    }

    private final ClientConnection connection;
    private final BrokerEngine engine;
    private final ProtocolParser parser;
    private final ConnectionSubscriptions subscriptions;
    private final Publisher publisher;

    private Stage stage = Stage.NEW;
    private ScheduledFuture<?> authTimer;
    private ScheduledFuture<?> expiryTimer;
    private boolean connectInfoSent;
    /** False while an answer of the authenticator is awaited. */
    private boolean reading = true;

    private int maxPayload;

    private volatile LocalAccount account;
    private volatile ConnectRequest request = ConnectRequest.IMPLICIT;
    private volatile Identity identity = Identity.ANONYMOUS;
    private volatile Permissions permissions = Permissions.ALL;
    private volatile UserLimits limits = UserLimits.UNLIMITED;

    ClientSession(ClientConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.maxPayload = engine.options().maxPayload();
        this.parser = new ProtocolParser(this, engine.options().maxControlLine(), maxPayload);
        this.subscriptions = new ConnectionSubscriptions(connection);
        this.publisher = new Publisher(connection);
        parser.setAwaitingConnect(true);
    }

    ProtocolParser parser() {
        return parser;
    }

    /** Sends INFO and begins to wait for CONNECT. */
    void start() {
        sendInfo(false);
        awaitConnect();
    }

    /** Begins to wait for CONNECT, after INFO and TLS. */
    void awaitConnect() {
        if (engine.authenticator().announcesAuthentication(connection.type())) {
            Duration timeout = engine.authTimeout(connection.type());
            authTimer = connection.lane.loop.schedule(
                    () -> connection.close(ClosedReason.AUTHENTICATION_TIMEOUT, ErrorText.AUTHENTICATION_TIMEOUT),
                    timeout.toNanos(),
                    TimeUnit.NANOSECONDS);
        }
        connection.startKeepAlive();
    }

    void sendInfo(boolean lameDuck) {
        if (stage == Stage.CONNECTED && request.protocol() < 1) {
            return;
        }
        connection.send(engine.info(connection, maxPayload, lameDuck || engine.isLameDuck(), null));
    }

    /** Where else it can connect has changed. */
    void urlsChanged(boolean lameDuck) {
        if (stage == Stage.CONNECTED && !connection.isClosed()) {
            sendInfo(lameDuck);
        }
    }

    // Operations.

    @Override
    public void onImplicitConnect() {
        if (!engine.authenticator().acceptsImplicit(connection.type())) {
            refuse(AuthResult.violation("another operation came before CONNECT"));
            return;
        }
        parser.setAwaitingConnect(false);
        authenticate(ConnectRequest.IMPLICIT);
    }

    @Override
    public void onConnect(byte[] bytes, int offset, int length) {
        ConnectRequest read;
        try {
            read = ConnectJson.read(bytes, offset, length);
        } catch (IOException e) {
            engine.log(connection, "CONNECT cannot be read: {}", e.getMessage());
            connection.close(ClosedReason.PROTOCOL_VIOLATION);
            return;
        }
        parser.setAwaitingConnect(false);
        if (stage == Stage.CONNECTED) {
            leaveAccount();
        }
        if (read.hasAccount()) {
            refuse(AuthResult.violation("CONNECT names an account"));
            return;
        }
        authenticate(connection.cookies().addTo(read));
    }

    private void authenticate(ConnectRequest read) {
        stage = Stage.AUTHENTICATING;
        request = read;
        Thread loop = Thread.currentThread();
        engine.authenticator().authenticate(read, connection.info(), answer -> {
            if (Thread.currentThread() == loop) {
                authenticated(answer);
            } else {
                connection.lane.loop.execute(() -> authenticated(answer));
            }
        });
        if (stage == Stage.AUTHENTICATING) {
            reading = false;
            parser.stop();
            connection.holds().add(ReadHolds.AUTHENTICATING);
        }
    }

    private void authenticated(AuthResult answer) {
        if (stage != Stage.AUTHENTICATING) {
            return;
        }
        switch (answer) {
            case AuthResult.Rejected rejected -> refuse(rejected);
            case AuthResult.Accepted accepted -> bind(accepted);
        }
        if (stage == Stage.CONNECTED && !reading) {
            reading = true;
            parser.resume();
            connection.holds().remove(ReadHolds.AUTHENTICATING);
            connection.input().readDeferred();
        }
    }

    private void refuse(AuthResult.Rejected rejected) {
        engine.authenticationFailed(connection, rejected);
        connection.close(rejected.reason(), rejected.error());
    }

    private void bind(AuthResult.Accepted accepted) {
        LocalAccount bound = (LocalAccount) accepted.account();
        identity = accepted.identity();
        connection.setLabel(ConnectionLabel.of(connection.info(), request, bound, identity));
        if (!bound.admit(connection)) {
            connection.close(ClosedReason.MAX_ACCOUNT_CONNECTIONS_EXCEEDED, ErrorText.ACCOUNT_CONNECTIONS);
            return;
        }
        account = bound;
        stage = Stage.CONNECTED;
        if (authTimer != null) {
            authTimer.cancel(false);
        }
        connection.echo = request.echo();
        connection.headers = request.headers() && engine.options().headers();
        parser.setHeadersAllowed(connection.headers);
        permissions = accepted.permissions();
        connection.tracksReplies = permissions.responses() != null;
        publisher.bind(bound, request, permissions);
        limits = accepted.limits();
        refreshLimits(false);
        scheduleExpiry();
        engine.connected(connection);
        if (refuseCapabilities()) {
            return;
        }
        if (request.verbose() && !request.implicit()) {
            connection.send(OK);
        }
    }

    private boolean refuseCapabilities() {
        if (request.protocol() < 0 || request.protocol() > 1) {
            connection.close(ClosedReason.BAD_CLIENT_PROTOCOL_VERSION, ErrorText.CLIENT_PROTOCOL);
            return true;
        }
        if (request.noResponders() && !connection.headers) {
            connection.close(ClosedReason.NO_RESPONDERS_REQUIRES_HEADERS, ErrorText.NO_RESPONDERS);
            return true;
        }
        return false;
    }

    @Override
    public void onPing() {
        connection.send(PONG);
        if (!connectInfoSent && stage == Stage.CONNECTED && request.protocol() >= 1) {
            connectInfoSent = true;
            connection.send(engine.info(connection, maxPayload, engine.isLameDuck(), account));
        }
    }

    @Override
    public void onPong() {
        connection.keepAlive().answered();
    }

    @Override
    public void onSubscribe(
            byte[] bytes,
            int subjectOffset,
            int subjectLength,
            int queueOffset,
            int queueLength,
            int sidOffset,
            int sidLength) {
        String subject = text(bytes, subjectOffset, subjectLength);
        String queue = queueLength == 0 ? null : text(bytes, queueOffset, queueLength);
        String error = subscriptions.add(account, permissions, subject, queue, text(bytes, sidOffset, sidLength));
        if (error != null) {
            connection.send(ErrorText.line(error));
        } else if (request.verbose()) {
            connection.send(OK);
        }
    }

    @Override
    public void onUnsubscribe(byte[] bytes, int sidOffset, int sidLength, int max) {
        subscriptions.end(text(bytes, sidOffset, sidLength), max);
        if (request.verbose()) {
            connection.send(OK);
        }
    }

    @Override
    public void onPublish(ProtocolParser message, byte[] bytes) {
        publisher.publish(message, bytes);
    }

    @Override
    public void onFailure(ParseFailure failure) {
        switch (failure) {
            case UNKNOWN_OPERATION -> connection.close(ClosedReason.PROTOCOL_VIOLATION, ErrorText.UNKNOWN_OPERATION);
            case MALFORMED_ARGUMENTS, HEADERS_NOT_AGREED -> connection.close(ClosedReason.PROTOCOL_VIOLATION);
            case CONTROL_LINE_TOO_LONG ->
                connection.close(ClosedReason.MAX_CONTROL_LINE_EXCEEDED, ErrorText.CONTROL_LINE);
            case PAYLOAD_TOO_LARGE -> connection.close(ClosedReason.MAX_PAYLOAD_EXCEEDED, ErrorText.PAYLOAD);
            case ERROR_FROM_PEER -> connection.close(ClosedReason.PARSE_ERROR);
        }
    }

    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
    }

    // Changes from outside.

    void replacePermissions(Permissions changed) {
        if (stage != Stage.CONNECTED) {
            return;
        }
        permissions = changed;
        connection.tracksReplies = changed.responses() != null;
        publisher.bind(account, request, changed);
        for (String error : subscriptions.apply(changed)) {
            connection.send(ErrorText.line(error));
        }
    }

    void replaceLimits(UserLimits changed) {
        limits = changed;
        refreshLimits(true);
    }

    void replaceIdentity(Identity changed) {
        identity = changed;
        scheduleExpiry();
    }

    /** Works out the limits from those of user, account and server. */
    void refreshLimits(boolean announce) {
        LocalAccount bound = account;
        if (bound == null || stage != Stage.CONNECTED) {
            return;
        }
        long payload = lowest(
                lowest(limits.maxPayload(), bound.limits().maxPayload()),
                engine.options().maxPayload());
        int serverSubscriptions = engine.options().maxSubscriptions();
        long most = lowest(limits.maxSubscriptions(), bound.limits().maxSubscriptions());
        subscriptions.setMax(lowest(most, serverSubscriptions == 0 ? -1 : serverSubscriptions));
        parser.setMaxControlLine(engine.options().maxControlLine());
        parser.setMaxPayload((int) payload);
        boolean changed = payload != maxPayload;
        maxPayload = (int) payload;
        if (changed && announce) {
            sendInfo(false);
        }
    }

    /** The lower of two limits of which -1 means none. */
    private static long lowest(long a, long b) {
        if (a < 0 || b < 0) {
            return Math.max(a, b);
        }
        return Math.min(a, b);
    }

    private void scheduleExpiry() {
        if (expiryTimer != null) {
            expiryTimer.cancel(false);
            expiryTimer = null;
        }
        Instant expires = identity.expires();
        if (expires == null) {
            return;
        }
        String error = identity.expiryError();
        long delay = Math.max(0, Duration.between(Instant.now(), expires).toMillis());
        expiryTimer = connection.lane.loop.schedule(
                () -> connection.close(ClosedReason.AUTHENTICATION_EXPIRED, error), delay, TimeUnit.MILLISECONDS);
    }

    private void leaveAccount() {
        LocalAccount bound = account;
        if (bound != null) {
            subscriptions.removeAll();
            bound.release(connection);
            account = null;
        }
    }

    /** Ends everything; the connection's own list of subscriptions is kept for those who look at closed ones. */
    void stop() {
        stage = Stage.ENDED;
        parser.stop();
        if (authTimer != null) {
            authTimer.cancel(false);
        }
        if (expiryTimer != null) {
            expiryTimer.cancel(false);
        }
        LocalAccount bound = account;
        if (bound != null) {
            subscriptions.removeFromGraph();
            bound.release(connection);
        }
    }

    void forget(Sub sub) {
        subscriptions.forget(sub);
    }

    Sub plainSubscription(String subject) {
        return subscriptions.plainMatch(account, subject);
    }

    void trackReplies(List<String> replies) {
        publisher.trackReplies(replies);
    }

    boolean isConnected() {
        return stage == Stage.CONNECTED;
    }

    LocalAccount account() {
        return account;
    }

    ConnectRequest request() {
        return request;
    }

    Identity identity() {
        return identity;
    }

    Permissions permissions() {
        return permissions;
    }

    UserLimits limits() {
        return limits;
    }

    int maxPayload() {
        return maxPayload;
    }

    long inMessages() {
        return publisher.messages();
    }

    long inBytes() {
        return publisher.bytes();
    }

    int subscriptionCount() {
        return subscriptions.count();
    }

    Collection<Subscription> subscriptions() {
        return subscriptions.all();
    }

    MessageOrigin origin() {
        LocalAccount bound = account;
        Identity who = identity;
        ConnectRequest said = request;
        return new MessageOrigin(
                ConnectionKind.CLIENT.text(),
                connection.id(),
                bound == null ? "" : bound.name(),
                "",
                who.user(),
                orEmpty(said.name()),
                orEmpty(said.language()),
                orEmpty(said.version()),
                connection.info().remoteHost(),
                orEmpty(who.jwt()),
                orEmpty(who.issuerKey()),
                orEmpty(who.nameTag()),
                TimeUnit.MILLISECONDS.toNanos(connection.started().toEpochMilli()),
                connection.roundTripNanos());
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
