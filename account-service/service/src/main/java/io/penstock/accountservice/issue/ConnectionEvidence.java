package io.penstock.accountservice.issue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.claims.Claims;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Notes in the ledger who connected with what, from the nodes' events. Events are collected and written once a second;
 * when they come faster than that for long, the surplus is dropped: evidence is useful, it decides nothing.
 */
@ApplicationScoped
public class ConnectionEvidence {
    private static final Logger LOG = Logger.getLogger(ConnectionEvidence.class);
    private static final int MAX_WAITING = 10_000;

    private final ObjectMapper json;
    private final EntityManager entities;
    private final Clock clock;
    private final BlockingQueue<Seen> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("connection-evidence").factory());

    ConnectionEvidence(ObjectMapper json, EntityManager entities, Clock clock) {
        this.json = json;
        this.entities = entities;
        this.clock = clock;
    }

    private record Seen(
            boolean connected,
            String accountPublicKey,
            String userPublicKey,
            String jti,
            Instant at,
            String lang,
            String version,
            String ip) {}

    /** Starts writing. */
    public void start() {
        var _ = writer.scheduleWithFixedDelay(this::flush, 1, 1, TimeUnit.SECONDS);
    }

    /** Takes an event of a node; `$SYS.ACCOUNT.<account>.CONNECT` or `.DISCONNECT`. */
    public void accept(String subject, byte[] body) {
        try {
            JsonNode client = json.readTree(body).path("client");
            String user = client.path("user").asText("");
            String account = client.path("acc").asText("");
            if (user.startsWith("U") && account.startsWith("A")) {
                boolean connected = subject.endsWith(".CONNECT");
                Seen seen = new Seen(
                        connected,
                        account,
                        user,
                        jti(client),
                        clock.instant(),
                        text(client, "lang"),
                        text(client, "ver"),
                        text(client, "host"));
                if (!waiting.offer(seen)) {
                    LOG.debug("dropped a connection event");
                }
            }
        } catch (IOException e) {
            LOG.debugf("an event on %s is no JSON", subject);
        }
    }

    /** A client says what it likes about itself: keep it short. */
    private static String text(JsonNode client, String field) {
        String value = client.path(field).asText("");
        return value.length() <= 64 ? value : value.substring(0, 64);
    }

    private static String jti(JsonNode client) {
        String jwt = client.path("jwt").asText("");
        if (jwt.isEmpty()) {
            return null;
        }
        try {
            Claims claims = JwtDecoder.decode(jwt);
            return claims.registered().id();
        } catch (InvalidTokenException e) {
            return null;
        }
    }

    private void flush() {
        List<Seen> batch = new ArrayList<>();
        waiting.drainTo(batch);
        if (batch.isEmpty()) {
            return;
        }
        try {
            QuarkusTransaction.requiringNew().run(() -> batch.forEach(this::write));
        } catch (RuntimeException e) {
            LOG.warnf("%d connection events could not be noted: %s", batch.size(), e.getMessage());
        }
    }

    private void write(Seen seen) {
        String set = seen.connected()
                ? "firstConnected = coalesce(firstConnected, :at), lastConnected = :at, connections = connections + 1,"
                        + " clientLang = :lang, clientVersion = :version, clientIp = :ip"
                : "lastDisconnected = :at";
        String which = seen.jti() != null
                ? "jti = :jti"
                : "issuedAt = (select max(o.issuedAt) from IssuanceEntity o where o.userPublicKey = :user)";
        var update = entities.createQuery("update IssuanceEntity i set " + set + " where i.userPublicKey = :user"
                        + " and i.accountId = (select a.accountId from AccountEntity a where a.publicKey = :account)"
                        + " and " + which)
                .setParameter("at", seen.at())
                .setParameter("user", seen.userPublicKey())
                .setParameter("account", seen.accountPublicKey());
        if (seen.connected()) {
            update.setParameter("lang", seen.lang())
                    .setParameter("version", seen.version())
                    .setParameter("ip", seen.ip());
        }
        if (seen.jti() != null) {
            update.setParameter("jti", seen.jti());
        }
        int _ = update.executeUpdate();
    }

    @PreDestroy
    void stop() {
        writer.shutdownNow();
    }
}
