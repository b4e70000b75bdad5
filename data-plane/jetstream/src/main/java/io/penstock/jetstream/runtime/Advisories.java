package io.penstock.jetstream.runtime;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Tells whoever listens what happens, on subjects below {@code $JS.EVENT}. Costs next to nothing when nobody does. */
public final class Advisories {
    private static final String ADVISORY = "$JS.EVENT.ADVISORY.";
    private static final String STREAM = ADVISORY + "STREAM.";
    private static final String CONSUMER = ADVISORY + "CONSUMER.";
    private static final String TYPE = "io.nats.jetstream.advisory.v1.";
    private static final String LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    private final Host host;
    private final AccountRuntime account;

    Advisories(Host host, AccountRuntime account) {
        this.host = host;
        this.account = account;
    }

    private static String subject(String prefix, String stream) {
        return prefix + "." + Subjects.fromUtf8(stream);
    }

    private static String subject(String prefix, String stream, String consumer) {
        return subject(subject(prefix, stream), consumer);
    }

    private ObjectNode event(String type) {
        return event(host, type);
    }

    private ObjectNode event(String type, String stream) {
        return event(TYPE + type).put("stream", stream);
    }

    private ObjectNode event(String type, String stream, String consumer) {
        return event(type, stream).put("consumer", consumer);
    }

    /** What every advisory begins with. */
    public static ObjectNode event(Host host, String type) {
        ObjectNode node = JetStreamJson.object();
        node.put("type", type);
        node.put("id", id(host.random()));
        node.put("timestamp", GoTime.format(host.loop().now()));
        return node;
    }

    private static String id(Random random) {
        StringBuilder id = new StringBuilder(22);
        for (int i = 0; i < 22; i++) {
            id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return id.toString();
    }

    private void send(String subject, ObjectNode node) {
        if (!host.options().domain().isEmpty()) {
            node.put("domain", host.options().domain());
        }
        account.send(subject, null, Headers.NONE, JetStreamJson.write(node));
    }

    private boolean unheard(String subject) {
        return !account.hasInterest(subject);
    }

    /** A stream was created, changed or deleted. */
    public void stream(String subjectWord, String stream, String action) {
        String subject = subject(STREAM + subjectWord, stream);
        if (unheard(subject)) {
            return;
        }
        send(subject, event("stream_action", stream).put("action", action));
    }

    /** A consumer was created, changed or deleted. */
    public void consumer(String subjectWord, String stream, String consumer, String action) {
        String subject = subject(CONSUMER + subjectWord, stream, consumer);
        if (unheard(subject)) {
            return;
        }
        send(subject, event("consumer_action", stream, consumer).put("action", action));
    }

    /** A consumer was paused until a time, or resumed when that is 0. */
    public void paused(String stream, String consumer, boolean paused, String until) {
        String subject = subject(CONSUMER + "PAUSE", stream, consumer);
        if (unheard(subject)) {
            return;
        }
        send(
                subject,
                event("consumer_pause", stream, consumer).put("paused", paused).put("pause_until", until));
    }

    void maxDeliveries(String stream, String consumer, long sequence, long deliveries) {
        String subject = subject(CONSUMER + "MAX_DELIVERIES", stream, consumer);
        if (unheard(subject)) {
            return;
        }
        send(
                subject,
                event("max_deliver", stream, consumer)
                        .put("stream_seq", sequence)
                        .put("deliveries", deliveries));
    }

    void naked(String stream, String consumer, long consumerSequence, long sequence, long deliveries) {
        String subject = subject(CONSUMER + "MSG_NAKED", stream, consumer);
        if (unheard(subject)) {
            return;
        }
        send(
                subject,
                event("nak", stream, consumer)
                        .put("consumer_seq", consumerSequence)
                        .put("stream_seq", sequence)
                        .put("deliveries", deliveries));
    }

    void terminated(
            String stream, String consumer, long consumerSequence, long sequence, long deliveries, String reason) {
        String subject = subject(CONSUMER + "MSG_TERMINATED", stream, consumer);
        if (unheard(subject)) {
            return;
        }
        ObjectNode node = event("terminated", stream, consumer)
                .put("consumer_seq", consumerSequence)
                .put("stream_seq", sequence)
                .put("deliveries", deliveries);
        putText(node, "reason", reason);
        send(subject, node);
    }

    void acked(String stream, String consumer, long consumerSequence, long sequence, long nanos, long deliveries) {
        String subject = subject("$JS.EVENT.METRIC.CONSUMER.ACK", stream, consumer);
        if (unheard(subject)) {
            return;
        }
        send(
                subject,
                event("io.nats.jetstream.metric.v1.consumer_ack")
                        .put("stream", stream)
                        .put("consumer", consumer)
                        .put("consumer_seq", consumerSequence)
                        .put("stream_seq", sequence)
                        .put("ack_time", nanos)
                        .put("deliveries", deliveries));
    }

    /** This node leads a stream from now on. */
    void leaderElected(String stream, List<Replica> replicas) {
        String subject = subject(STREAM + "LEADER_ELECTED", stream);
        if (!unheard(subject)) {
            send(subject, elected(event("stream_leader_elected", stream), replicas));
        }
    }

    /** This node leads a consumer from now on. */
    void leaderElected(String stream, String consumer, List<Replica> replicas) {
        String subject = subject(CONSUMER + "LEADER_ELECTED", stream, consumer);
        if (!unheard(subject)) {
            send(subject, elected(event("consumer_leader_elected", stream, consumer), replicas));
        }
    }

    private ObjectNode elected(ObjectNode node, List<Replica> replicas) {
        return withReplicas(node.put("leader", host.options().serverName()), replicas);
    }

    /** A stream has no leader and cannot get one. */
    void quorumLost(String stream, List<Replica> replicas) {
        String subject = subject(STREAM + "QUORUM_LOST", stream);
        if (!unheard(subject)) {
            send(subject, withReplicas(event("stream_quorum_lost", stream), replicas));
        }
    }

    /** A consumer has no leader and cannot get one. */
    void quorumLost(String stream, String consumer, List<Replica> replicas) {
        String subject = subject(CONSUMER + "QUORUM_LOST", stream, consumer);
        if (!unheard(subject)) {
            send(subject, withReplicas(event("consumer_quorum_lost", stream, consumer), replicas));
        }
    }

    /** Adds the replicas of a group, this node's among them. */
    public static ObjectNode withReplicas(ObjectNode node, List<Replica> replicas) {
        ArrayNode all = node.putArray("replicas");
        replicas.forEach(replica -> all.add(JetStreamJson.tree(PeerViews.of(replica))));
        return node;
    }

    /** A batch will not be stored. */
    void batchAbandoned(String stream, String batch, String reason) {
        String subject = subject(STREAM + "BATCH_ABANDONED", stream);
        if (unheard(subject)) {
            return;
        }
        send(
                subject,
                event("stream_batch_abandoned", stream).put("batch", batch).put("reason", reason));
    }

    void limitReached(int dropped) {
        String subject = ADVISORY + "API.LIMIT_REACHED";
        if (unheard(subject)) {
            return;
        }
        send(
                subject,
                event(TYPE + "api_limit_reached")
                        .put("server", host.options().serverName())
                        .put("dropped", dropped));
    }

    /**
     * A backup of a stream began or ended, or a stream comes from one.
     *
     * @param word the subject's, such as {@code SNAPSHOT_CREATE}
     * @param fields what the advisory says beside stream and client
     */
    public void backup(String word, String stream, ObjectNode fields, MessageOrigin origin) {
        String subject = subject(STREAM + word, stream);
        if (unheard(subject)) {
            return;
        }
        ObjectNode node = event(word.toLowerCase(Locale.ROOT), stream);
        node.setAll(fields);
        node.set("client", client(origin));
        send(subject, node);
    }

    /** A request was answered. */
    public void audit(ApiCall call, byte[] response) {
        String subject = ADVISORY + "API";
        if (unheard(subject)) {
            return;
        }
        ObjectNode node = event(TYPE + "api_audit").put("server", host.options().serverName());
        node.set("client", client(call.origin()));
        node.put("subject", Subjects.toUtf8(call.subject()));
        if (call.body().length > 0) {
            node.put("request", new String(call.body(), StandardCharsets.UTF_8));
        }
        node.put("response", new String(response, StandardCharsets.UTF_8));
        send(subject, node);
    }

    private ObjectNode client(MessageOrigin origin) {
        ObjectNode node = JetStreamJson.object();
        if (origin == null) {
            return node;
        }
        if (origin.startNanos() > 0) {
            node.put("start", GoTime.format(origin.startNanos()));
        }
        putText(node, "host", origin.host());
        if (origin.connectionId() > 0) {
            node.put("id", origin.connectionId());
        }
        putText(node, "acc", origin.account());
        putText(node, "svc", origin.serviceAccount());
        putText(node, "user", origin.user());
        putText(node, "name", origin.name());
        putText(node, "lang", origin.language());
        putText(node, "ver", origin.version());
        if (origin.roundTripNanos() > 0) {
            node.put("rtt", origin.roundTripNanos());
        }
        node.put("server", host.options().serverName());
        putText(node, "issuer_key", origin.issuerKey());
        putText(node, "name_tag", origin.nameTag());
        putText(node, "kind", origin.kind());
        return node;
    }

    private static void putText(ObjectNode node, String field, String value) {
        if (value != null && !value.isEmpty()) {
            node.put(field, value);
        }
    }
}
