package io.penstock.controlplane.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.accountservice.AccountService.ManagementCredential;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.scheduler.Scheduled;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * One connection an account, with a credential of ten minutes that account-service gives for this purpose. A connection is replaced
 * before its credential ends and closed when it was idle for two minutes. Thread-safe.
 */
@ApplicationScoped
public class NatsBroker implements Broker {
    private static final Logger LOG = Logger.getLogger(NatsBroker.class);
    private static final int CREDENTIAL_SECONDS = 600;
    private static final Duration RENEW_BEFORE = Duration.ofSeconds(60);
    /** While the broker cannot be reached, each call tries again; account-service is not asked anew for each. */
    private static final Duration CREDENTIAL_KEPT = Duration.ofSeconds(20);

    private static final Duration IDLE = Duration.ofMinutes(2);
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration FIRST_NODE = Duration.ofMillis(700);
    private static final Duration NEXT_NODE = Duration.ofMillis(100);
    private static final int NOBODY_ATTEMPTS = 10;
    private static final Duration NOBODY_GAP = Duration.ofMillis(200);

    @Inject
    AccountService accountService;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    @ConfigProperty(name = "penstock.broker.urls")
    List<String> urls;

    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
    private final ObjectMapper json = new ObjectMapper();
    private volatile String version;

    /** What belongs to one account. Guarded by itself, so that accounts do not wait for each other. */
    private static final class Lane {
        private Connection connection;
        /** Not used for a connection yet; null when it was. */
        private ManagementCredential unused;

        private Instant unusedUntil = Instant.EPOCH;
        private Instant credentialEnd = Instant.EPOCH;
        private Instant lastUsed = Instant.EPOCH;
    }

    @Override
    public Reply request(String accountId, String subject, byte[] payload) {
        return request(accountId, subject, Map.of(), payload);
    }

    @Override
    public Reply request(String accountId, String subject, Map<String, String> headers, byte[] payload) {
        Headers sent = new Headers();
        headers.forEach((name, value) -> sent.add(name, value));
        for (int attempt = 1; ; attempt++) {
            Optional<Reply> reply = ask(connection(accountId), subject, sent, payload);
            if (reply.isPresent()) {
                return reply.get();
            }
            // Nobody took the request, so it can be sent again: an account is new to its node, or a leader is being
            // chosen.
            if (attempt == NOBODY_ATTEMPTS) {
                throw ProblemException.of(
                        ErrorCode.UNAVAILABLE,
                        "Nothing answers on the account: JetStream is off for it, or has no leader now.");
            }
            LockSupport.parkNanos(NOBODY_GAP.toNanos());
        }
    }

    /** Empty when nobody listens on the subject. */
    private static Optional<Reply> ask(Connection connection, String subject, Headers sent, byte[] payload) {
        try {
            Message answer = connection.request(subject, sent, payload).get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.isStatusMessage() && answer.getStatus().getCode() == 503) {
                return Optional.empty();
            }
            byte[] data = answer.getData() == null ? new byte[0] : answer.getData();
            return Optional.of(new Reply(headers(answer.getHeaders()), data));
        } catch (TimeoutException late) {
            throw ProblemException.of(
                    ErrorCode.BROKER_TIMEOUT, "The broker did not answer within " + ANSWER.toSeconds() + " s.");
        } catch (CancellationException cancelled) {
            if (connection.getStatus() == Connection.Status.CONNECTED) {
                return Optional.empty();
            }
            throw lost();
        } catch (ExecutionException failed) {
            LOG.warnf("request on %s failed: %s", subject, failed.toString());
            throw lost();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw lost();
        }
    }

    @Override
    public Optional<Long> connections(String accountId) {
        try {
            return Optional.of(count(connection(accountId)));
        } catch (RuntimeException | IOException unknown) {
            LOG.debugf("connections of %s are unknown: %s", accountId, unknown.toString());
            return Optional.empty();
        }
    }

    private long count(Connection connection) throws IOException {
        long open = 0;
        boolean told = false;
        for (JsonNode answer : askNodes(connection)) {
            for (JsonNode account : answer.at("/data/account_statz")) {
                open += account.path("conns").asLong();
                told = true;
            }
        }
        if (!told) {
            throw new IOException("no node answered");
        }
        return Math.max(0, open - 1);
    }

    @Override
    public List<Node> nodes(String accountId) {
        try {
            return askNodes(connection(accountId)).stream()
                    .map(answer -> answer.path("server"))
                    .filter(server -> server.hasNonNull("name"))
                    .map(NatsBroker::node)
                    .toList();
        } catch (RuntimeException | IOException unknown) {
            LOG.debugf("nodes are unknown to %s: %s", accountId, unknown.toString());
            return List.of();
        }
    }

    private static Node node(JsonNode server) {
        List<String> tags = new ArrayList<>();
        server.path("tags").forEach(tag -> tags.add(tag.asText()));
        return new Node(
                server.path("name").asText(),
                server.path("ver").asText(),
                Optional.ofNullable(server.path("cluster").textValue()).filter(name -> !name.isEmpty()),
                List.copyOf(tags));
    }

    /** Asks every node; nobody says how many there are, so the answers end when it is quiet. */
    private List<JsonNode> askNodes(Connection connection) throws IOException {
        String inbox = connection.createInbox();
        Subscription answers = connection.subscribe(inbox);
        boolean alone = connection.getServerInfo().getCluster() == null;
        try {
            connection.publish("$SYS.REQ.ACCOUNT.PING.STATZ", inbox, "{}".getBytes(StandardCharsets.UTF_8));
            List<JsonNode> told = new ArrayList<>();
            Message answer = answers.nextMessage(FIRST_NODE);
            while (answer != null && !answer.isStatusMessage()) {
                told.add(json.readTree(answer.getData()));
                answer = alone ? null : answers.nextMessage(NEXT_NODE);
            }
            return told;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        } finally {
            answers.unsubscribe();
        }
    }

    @Override
    public Optional<String> serverVersion() {
        return Optional.ofNullable(version);
    }

    private Connection connection(String accountId) {
        Lane lane = lanes.computeIfAbsent(accountId, id -> new Lane());
        synchronized (lane) {
            Instant now = clock.instant();
            lane.lastUsed = now;
            boolean usable = lane.connection != null
                    && lane.connection.getStatus() == Connection.Status.CONNECTED
                    && now.isBefore(lane.credentialEnd.minus(RENEW_BEFORE));
            if (usable) {
                return lane.connection;
            }
            Connection old = lane.connection;
            if (lane.unused == null || now.isAfter(lane.unusedUntil)) {
                lane.unused = credential(accountId);
                lane.unusedUntil = now.plus(CREDENTIAL_KEPT);
            }
            ManagementCredential credential = lane.unused;
            lane.connection = connect(credential);
            lane.unused = null;
            lane.credentialEnd = credential.expiresAt();
            close(old);
            return lane.connection;
        }
    }

    private ManagementCredential credential(String accountId) {
        try {
            return accountService.managementCredential(
                    new AccountService.Reason("system:control-plane", "jetstream.manage", ids.next("req")),
                    accountId,
                    CREDENTIAL_SECONDS);
        } catch (ProblemException refused) {
            if (refused.code() != ErrorCode.DEPENDENCY_FAILED) {
                throw refused;
            }
            // A new account is known there with its first synchronisation, which takes a moment.
            throw ProblemException.of(
                            ErrorCode.UNAVAILABLE,
                            "The account is not set up in the broker yet. Try again in a moment.")
                    .param(UNKNOWN_ACCOUNT, true)
                    .header("Retry-After", "1");
        }
    }

    private Connection connect(ManagementCredential credential) {
        Options options = new Options.Builder()
                .servers(urls.toArray(String[]::new))
                .authHandler(Nats.staticCredentials(
                        credential.jwt().toCharArray(), credential.seed().toCharArray()))
                .connectionName("penstock-control-plane")
                .connectionTimeout(CONNECT)
                .noReconnect()
                .noEcho()
                .errorListener(new QuietErrors())
                .build();
        try {
            Connection connection = Nats.connect(options);
            version = connection.getServerInfo().getVersion();
            return connection;
        } catch (IOException unreachable) {
            LOG.warnf("the broker cannot be reached at %s: %s", urls, unreachable.toString());
            throw ProblemException.of(
                            ErrorCode.UNAVAILABLE,
                            "The broker cannot be reached, or does not know the account yet. Try again in a moment.")
                    .header("Retry-After", "2");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw lost();
        }
    }

    @Scheduled(every = "30s", delayed = "30s")
    void closeIdle() {
        Instant limit = clock.instant().minus(IDLE);
        lanes.forEach((account, lane) -> {
            synchronized (lane) {
                if (lane.connection != null && lane.lastUsed.isBefore(limit)) {
                    close(lane.connection);
                    lane.connection = null;
                }
            }
        });
    }

    @PreDestroy
    void closeAll() {
        lanes.values().forEach(lane -> {
            synchronized (lane) {
                close(lane.connection);
                lane.connection = null;
            }
        });
    }

    private static void close(Connection connection) {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, List<String>> headers(Headers headers) {
        Map<String, List<String>> out = new LinkedHashMap<>();
        if (headers != null) {
            headers.forEach((name, values) -> out.put(name, new ArrayList<>(values)));
        }
        return out;
    }

    private static ProblemException lost() {
        return ProblemException.of(ErrorCode.UNAVAILABLE, "The connection to the broker was lost. Try again.");
    }
}
