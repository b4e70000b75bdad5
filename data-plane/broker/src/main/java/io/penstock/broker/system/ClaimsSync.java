package io.penstock.broker.system;

import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.resolver.AccountResolver;
import io.penstock.broker.resolver.ClaimsException;
import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.NodeDescription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes nodes hold the same account JWTs again after one was away: each asks each node that comes for what it has, and
 * takes what is newer. A node is sent nothing when the sum of its JWTs is that of the other. On the directory's thread.
 */
final class ClaimsSync implements ClusterView.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimsSync.class);
    private static final byte[] EMPTY = {};
    private static final int SHA256_BYTES = 32;
    private static final int ATTEMPTS = 50;
    private static final long ATTEMPT_MILLIS = 200;
    private static final long REPEAT_SECONDS = 120;

    private final Broker broker;
    private final AccountDirectory directory;
    private final AccountResolver resolver;
    private final Account system;
    private final ReplySender replies;
    private final SystemServices services;
    private final ScheduledExecutorService executor;
    private final InternalClient client;

    ClaimsSync(
            Broker broker,
            AccountDirectory directory,
            Account system,
            ReplySender replies,
            SystemServices services,
            ScheduledExecutorService executor) {
        this.broker = broker;
        this.directory = directory;
        this.resolver = directory.resolver();
        this.system = system;
        this.replies = replies;
        this.services = services;
        this.executor = executor;
        this.client = system.internalClient(ConnectionKind.SYSTEM);
    }

    void start() {
        if (broker.options().cluster() == null) {
            return;
        }
        String self = broker.identity().id();
        var _ = system.subscribe(packSubject(self), null, services.target(question -> pack(question, true), executor));
        var _ = system.subscribe(answersSubject(self), null, services.target(this::receive, executor));
        broker.cluster().addListener(this);
        var _ = executor.scheduleAtFixedRate(this::askAll, REPEAT_SECONDS, REPEAT_SECONDS, TimeUnit.SECONDS);
    }

    private static String packSubject(String server) {
        return "$SYS.REQ.SERVER." + server + ".CLAIMS.PACK";
    }

    private static String answersSubject(String server) {
        return "$SYS.SERVER." + server + ".CLAIMS.ANSWER";
    }

    @Override
    public void nodeUp(NodeDescription node) {
        try {
            executor.execute(() -> ask(node.serverId(), ATTEMPTS));
        } catch (RejectedExecutionException _) {
            // The server stops.
            return;
        }
    }

    @Override
    public void nodeDown(String name, boolean refused) {
        // What it had is asked for when it comes again.
    }

    private void askAll() {
        broker.cluster().nodes().values().forEach(node -> ask(node.serverId(), 1));
    }

    private void ask(String server, int attempts) {
        try {
            String answers = answersSubject(broker.identity().id());
            boolean asked = client.publish(packSubject(server), answers, EMPTY, sum());
            client.flush();
            // Its interest in the question may still be on its way.
            if (!asked && attempts > 1) {
                var _ = executor.schedule(() -> ask(server, attempts - 1), ATTEMPT_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("asking another node for account JWTs failed", e);
        }
    }

    private byte[] sum() throws IOException {
        byte[] sum = new byte[SHA256_BYTES];
        for (String account : resolver.accounts()) {
            resolver.fetch(account).ifPresent(jwt -> exclusiveOr(sum, jwt));
        }
        return sum;
    }

    /**
     * Sends all JWTs to somebody whose set differs, one a message, then an empty one.
     *
     * @param withDeletions whether the asker understands deletions
     */
    void pack(Question question, boolean withDeletions) {
        try {
            List<String> lines = new ArrayList<>();
            byte[] sum = new byte[SHA256_BYTES];
            for (String account : resolver.accounts()) {
                Optional<String> jwt = resolver.fetch(account);
                if (jwt.isPresent()) {
                    exclusiveOr(sum, jwt.get());
                    lines.add(account + "|" + jwt.get());
                }
            }
            if (withDeletions) {
                for (Map.Entry<String, Long> gone : resolver.deletions().entrySet()) {
                    lines.add("-" + gone.getKey() + "|" + gone.getValue());
                }
            }
            if (!Arrays.equals(sum, question.body())) {
                lines.forEach(line -> replies.raw(question, line.getBytes(StandardCharsets.US_ASCII)));
            }
            replies.raw(question, EMPTY);
        } catch (IOException e) {
            LOG.error("packing account JWTs failed", e);
        }
    }

    private void receive(Question question) {
        String line = new String(question.body(), StandardCharsets.US_ASCII);
        int bar = line.indexOf('|');
        if (question.connection() != null || bar < 0) {
            return;
        }
        String account = line.substring(0, bar);
        try {
            if (account.startsWith("-")) {
                String gone = account.substring(1);
                if (directory.mergeDeletion(gone, Long.parseLong(line.substring(bar + 1)))) {
                    LOG.info("Account {} was deleted on another node", gone);
                }
            } else if (directory.merge(line.substring(bar + 1))) {
                LOG.info("JWT of account {} taken from another node", account);
            }
        } catch (ClaimsException | IOException | NumberFormatException e) {
            LOG.warn("what another node holds of account {} cannot be used: {}", account, e.getMessage());
        }
    }

    private static void exclusiveOr(byte[] sum, String jwt) {
        try {
            byte[] one = MessageDigest.getInstance("SHA-256").digest(jwt.getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < sum.length; i++) {
                sum[i] ^= one[i];
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
