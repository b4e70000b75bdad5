package io.penstock.accountservice.sync;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.operator.SystemUser;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** The one connection to the system account: claims go out on it, connection events come in. */
@ApplicationScoped
public class SystemConnection implements NodeClaims {
    private static final Logger LOG = Logger.getLogger(SystemConnection.class);
    private static final Duration PING_LIMIT = Duration.ofSeconds(2);
    /** After an answer, how long another node may take to answer a ping. */
    private static final Duration PING_QUIET = Duration.ofMillis(300);

    private final SystemUser user;
    private final ServiceConfig config;
    private final NodeReplies replies;
    private volatile Connection connection;
    private volatile Set<String> nodes = Set.of();
    private final CountDownLatch closed = new CountDownLatch(1);

    SystemConnection(SystemUser user, ServiceConfig config, ObjectMapper json) {
        this.user = user;
        this.config = config;
        this.replies = new NodeReplies(json);
    }

    /**
     * Starts connecting and goes on until the service stops.
     *
     * @param onConnected runs after each connect and reconnect, on a thread of its own
     * @param onEvent gets every connect and disconnect event of the nodes
     */
    public void start(Runnable onConnected, Consumer<Message> onEvent) {
        Thread.ofVirtual().name("system-connection").start(() -> keepConnected(onConnected, onEvent));
    }

    private void keepConnected(Runnable onConnected, Consumer<Message> onEvent) {
        boolean complained = false;
        while (!stopsWithin(Duration.ZERO)) {
            try {
                if (connection == null || connection.getStatus() == Connection.Status.CLOSED) {
                    connect(onConnected, onEvent);
                    complained = false;
                }
            } catch (IOException | RuntimeException e) {
                if (!complained) {
                    LOG.warnf(
                            "no node reachable at %s, trying on: %s",
                            config.broker().urls(), e.getMessage());
                    complained = true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            if (stopsWithin(config.broker().reconnectWait())) {
                return;
            }
        }
    }

    private void connect(Runnable onConnected, Consumer<Message> onEvent) throws IOException, InterruptedException {
        Options options = Options.builder()
                .servers(config.broker().urls().toArray(String[]::new))
                .connectionName("penstock account-service")
                .authHandler(new SystemLogin(user))
                .maxReconnects(-1)
                .reconnectWait(config.broker().reconnectWait())
                .connectionTimeout(Duration.ofSeconds(5))
                .errorListener(new QuietErrors())
                .connectionListener((source, event) -> {
                    if (event == ConnectionListener.Events.RECONNECTED) {
                        announce(source, onConnected);
                    }
                })
                .build();
        Connection fresh = Nats.connect(options);
        var dispatcher = fresh.createDispatcher(onEvent::accept);
        dispatcher.subscribe("$SYS.ACCOUNT.*.CONNECT");
        dispatcher.subscribe("$SYS.ACCOUNT.*.DISCONNECT");
        connection = fresh;
        LOG.infof("connected to node %s", fresh.getServerInfo().getServerName());
        announce(fresh, onConnected);
    }

    private void announce(Connection source, Runnable onConnected) {
        // The nodes known so far may be gone; until the others have answered there is at least this one.
        nodes = Set.of(source.getServerInfo().getServerId());
        Thread.ofVirtual().name("system-connected").start(() -> {
            try {
                refreshNodes();
                onConnected.run();
            } catch (RuntimeException e) {
                LOG.warnf("after connecting: %s", e.getMessage());
            }
        });
    }

    /** Asks again which nodes there are. */
    public void refreshNodes() {
        Set<String> found = new HashSet<>();
        Connection open = open();
        found.add(open.getServerInfo().getServerId());
        for (byte[] body : gather(open, "$SYS.REQ.SERVER.PING.IDZ", new byte[0], Integer.MAX_VALUE, PING_LIMIT)) {
            String id = replies.nodeId(body);
            if (id != null) {
                found.add(id);
            }
        }
        nodes = Set.copyOf(found);
    }

    @Override
    public boolean isConnected() {
        Connection current = connection;
        return current != null && current.getStatus() == Connection.Status.CONNECTED;
    }

    @Override
    public int nodes() {
        return nodes.size();
    }

    @Override
    public Outcome push(String jwt) {
        return change("$SYS.REQ.CLAIMS.UPDATE", jwt);
    }

    @Override
    public Outcome delete(String deletionJwt) {
        return change("$SYS.REQ.CLAIMS.DELETE", deletionJwt);
    }

    private Outcome change(String subject, String jwt) {
        Set<String> expected = nodes;
        byte[] body = jwt.getBytes(StandardCharsets.US_ASCII);
        Duration limit = config.sync().pushTimeout();
        Outcome outcome = replies.outcome(expected, gather(open(), subject, body, Math.max(1, expected.size()), limit));
        if (!outcome.complete()) {
            // A node that was silent may have left: the next attempt asks those that are there then.
            refreshNodes();
        }
        return outcome;
    }

    @Override
    public List<String> lookup(String accountPublicKey) {
        String subject = "$SYS.REQ.ACCOUNT." + accountPublicKey + ".CLAIMS.LOOKUP";
        int expected = Math.max(1, nodes.size());
        return gather(open(), subject, new byte[0], expected, config.sync().pushTimeout()).stream()
                .map(body -> new String(body, StandardCharsets.US_ASCII))
                .toList();
    }

    /** All answers to a request, until enough have come or time is up; a ping without a number ends when it is quiet. */
    private static List<byte[]> gather(Connection open, String subject, byte[] body, int expected, Duration limit) {
        List<byte[]> bodies = new ArrayList<>();
        long deadline = System.nanoTime() + limit.toNanos();
        String inbox = open.createInbox();
        Subscription subscription = open.subscribe(inbox);
        try {
            open.publish(subject, inbox, body);
            while (bodies.size() < expected) {
                Duration left = Duration.ofNanos(deadline - System.nanoTime());
                boolean openEnded = expected == Integer.MAX_VALUE && !bodies.isEmpty();
                Duration wait = openEnded && left.compareTo(PING_QUIET) > 0 ? PING_QUIET : left;
                Message message = wait.isPositive() ? subscription.nextMessage(wait) : null;
                boolean nobody = message != null && message.isStatusMessage();
                if (message == null || nobody) {
                    break;
                }
                bodies.add(message.getData());
            }
            return bodies;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return bodies;
        } finally {
            if (subscription.isActive()) {
                subscription.unsubscribe();
            }
        }
    }

    private Connection open() {
        Connection current = connection;
        if (current == null || current.getStatus() != Connection.Status.CONNECTED) {
            throw new NoConnectionException();
        }
        return current;
    }

    private boolean stopsWithin(Duration duration) {
        try {
            return closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @PreDestroy
    void close() throws InterruptedException {
        closed.countDown();
        Connection current = connection;
        if (current != null) {
            current.close();
        }
    }
}
