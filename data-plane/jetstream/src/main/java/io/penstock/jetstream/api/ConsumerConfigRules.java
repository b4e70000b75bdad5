package io.penstock.jetstream.api;

import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.AckPolicy;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.DeliverPolicy;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.PriorityPolicy;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.protocol.jetstream.StreamConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What a consumer's configuration must obey with regard to its stream's configuration, and its defaults. */
final class ConsumerConfigRules {
    private static final long SECOND = 1_000_000_000L;
    private static final long DEFAULT_ACK_WAIT = 30 * SECOND;
    private static final int DEFAULT_MAX_WAITING = 512;
    private static final int DEFAULT_MAX_ACK_PENDING = 1_000;
    private static final long EPHEMERAL_THRESHOLD = 5 * SECOND;

    private final JetStreamOptions options;
    private final JetStreamLimits limits;
    private final StreamConfig stream;
    private final boolean pedantic;

    ConsumerConfigRules(JetStreamOptions options, JetStreamLimits limits, StreamConfig stream, boolean pedantic) {
        this.options = options;
        this.limits = limits;
        this.stream = stream;
        this.pedantic = pedantic;
    }

    /**
     * The configuration as it will be stored.
     *
     * @throws JsException when it breaks a rule
     */
    ConsumerConfig check(ConsumerConfig given) {
        ConsumerConfig config = defaults(given);
        names(config);
        replicas(config);
        waits(config);
        if (config.description().getBytes(StandardCharsets.UTF_8).length > StreamConfigRules.MAX_DESCRIPTION) {
            throw JsError.CONSUMER_DESCRIPTION_TOO_LONG.raise(StreamConfigRules.MAX_DESCRIPTION);
        }
        if (config.deliverSubject().isEmpty()) {
            pull(config);
        } else {
            push(config);
        }
        ackPending(config);
        direct(config);
        filters(config);
        start(config);
        rest(config);
        Map<String, String> metadata = StreamConfigRules.withoutOurs(config.metadata());
        metadata.put("_nats.req.level", config.pauseUntil() == null ? "0" : "1");
        return config.toBuilder().metadata(metadata).build();
    }

    private ConsumerConfig defaults(ConsumerConfig c) {
        ConsumerConfig.Builder b = c.toBuilder();
        b.maxDeliver((int) atLeast(c.maxDeliver() == 0 ? -1 : c.maxDeliver(), -1, "max_deliver must be set to -1"));
        long maxWaiting = atLeast(c.maxWaiting(), 0, "max_waiting must not be negative");
        long maxAckPending = atLeast(c.maxAckPending(), -1, "max_ack_pending must be set to -1");
        long maxBatch = atLeast(c.maxBatch(), 0, "max_batch must not be negative");
        b.maxExpires(atLeast(c.maxExpires(), 0, "max_expires must not be negative"));
        b.maxBytes((int) atLeast(c.maxBytes(), 0, "max_bytes must not be negative"));
        b.idleHeartbeat(atLeast(c.idleHeartbeat(), 0, "idle_heartbeat must not be negative"));
        long threshold = atLeast(c.inactiveThreshold(), 0, "inactive_threshold must not be negative");
        b.priorityTimeout(atLeast(c.priorityTimeout(), 0, "priority_timeout must not be negative"));
        boolean pull = c.deliverSubject().isEmpty();
        if (pull && maxWaiting == 0) {
            maxWaiting = DEFAULT_MAX_WAITING;
        }
        if (c.ackWait() == 0 && (c.ackPolicy() == AckPolicy.EXPLICIT || c.ackPolicy() == AckPolicy.ALL)) {
            b.ackWait(DEFAULT_ACK_WAIT);
        }
        if (!c.backoff().isEmpty()) {
            if (pedantic && c.ackWait() != c.backoff().getFirst()) {
                throw JsError.PEDANTIC.raise("first backoff value has to equal batch AckWait");
            }
            b.ackWait(c.backoff().getFirst());
        }
        if (pull && maxBatch == 0 && options.maxRequestBatch() > 0) {
            if (pedantic) {
                throw JsError.PEDANTIC.raise("max_request_batch must be set if it's JetStream limits are set");
            }
            maxBatch = options.maxRequestBatch();
        }
        if (threshold == 0
                && stream.consumerLimits() != null
                && stream.consumerLimits().inactiveThreshold() > 0) {
            if (pedantic) {
                throw JsError.PEDANTIC.raise("inactive_threshold must be set if it's configured in stream limits");
            }
            threshold = stream.consumerLimits().inactiveThreshold();
        }
        if (threshold == 0 && c.durableName().isEmpty()) {
            threshold = EPHEMERAL_THRESHOLD;
        }
        b.maxWaiting((int) maxWaiting).maxBatch((int) maxBatch).inactiveThreshold(threshold);
        b.maxAckPending((int) ackPendingDefault(c, maxAckPending));
        if (c.priorityPolicy() == PriorityPolicy.NONE) {
            b.priorityPolicy(null);
        }
        if (GoTime.ZERO.equals(c.pauseUntil())) {
            b.pauseUntil(null);
        }
        return b.build();
    }

    private long ackPendingDefault(ConsumerConfig c, long given) {
        if (given != 0) {
            return given;
        }
        int streamLimit =
                stream.consumerLimits() == null ? 0 : stream.consumerLimits().maxAckPending();
        if (streamLimit > 0) {
            if (pedantic) {
                throw JsError.PEDANTIC.raise("max_ack_pending must be set if it's configured in stream limits");
            }
            return streamLimit;
        }
        if (c.ackPolicy() == AckPolicy.NONE) {
            return 0;
        }
        long value = DEFAULT_MAX_ACK_PENDING;
        if (options.maxAckPending() > 0) {
            value = Math.min(value, options.maxAckPending());
        }
        if (limits != null && limits.maxAckPending() > 0) {
            value = Math.min(value, limits.maxAckPending());
        }
        return value;
    }

    private long atLeast(long value, long least, String complaint) {
        if (value >= least) {
            return value;
        }
        if (pedantic) {
            throw JsError.PEDANTIC.raise(complaint);
        }
        return least;
    }

    private static void names(ConsumerConfig c) {
        if (!c.name().isEmpty() && !StreamConfigRules.isName(c.name())) {
            throw JsError.STREAM_INVALID_CONFIG.raise("consumer name can not contain '.', '*', '>', '\\', '/'");
        }
        if (!c.durableName().isEmpty() && !StreamConfigRules.isName(c.durableName())) {
            throw JsError.STREAM_INVALID_CONFIG.raise("consumer durable name can not contain '.', '*', '>', '\\', '/'");
        }
    }

    private void replicas(ConsumerConfig c) {
        if (c.numReplicas() > stream.numReplicas()) {
            throw JsError.CONSUMER_REPLICAS_EXCEEDS_STREAM.raise();
        }
        if (c.numReplicas() < 0) {
            throw JsError.REPLICAS_COUNT_CANNOT_BE_NEGATIVE.raise();
        }
        if (stream.retention() != RetentionPolicy.LIMITS
                && c.numReplicas() != 0
                && c.numReplicas() != stream.numReplicas()) {
            throw JsError.CONSUMER_REPLICAS_SHOULD_MATCH_STREAM.raise();
        }
    }

    private static void waits(ConsumerConfig c) {
        if (c.backoff().stream().anyMatch(b -> b < 0)) {
            throw JsError.CONSUMER_BACK_OFF_NEGATIVE.raise();
        }
        if (c.ackWait() < 0) {
            throw JsError.CONSUMER_ACK_WAIT_NEGATIVE.raise();
        }
        if (c.ackPolicy() == AckPolicy.FLOW_CONTROL) {
            throw JsError.CONSUMER_ACK_POLICY_INVALID.raise();
        }
        if (!c.backoff().isEmpty() && c.maxDeliver() != -1 && c.backoff().size() > c.maxDeliver()) {
            throw JsError.CONSUMER_MAX_DELIVER_BACKOFF.raise();
        }
    }

    private void push(ConsumerConfig c) {
        String subject = Subjects.fromUtf8(c.deliverSubject());
        if (Subjects.hasWildcard(subject)) {
            throw JsError.CONSUMER_DELIVER_TO_WILDCARDS.raise();
        }
        if (!Subjects.isValidLiteral(subject) || isReserved(subject)) {
            throw JsError.CONSUMER_INVALID_DELIVER_SUBJECT.raise();
        }
        for (String own : stream.subjects()) {
            if (Subjects.matches(Subjects.fromUtf8(own), subject)) {
                throw JsError.CONSUMER_DELIVER_CYCLE.raise();
            }
        }
        if (c.maxWaiting() != 0) {
            throw JsError.CONSUMER_PUSH_MAX_WAITING.raise();
        }
        if (c.maxAckPending() > 0 && c.ackPolicy() == AckPolicy.NONE) {
            throw JsError.CONSUMER_MAX_PENDING_ACK_POLICY_REQUIRED.raise();
        }
        if (c.idleHeartbeat() > 0 && c.idleHeartbeat() < 100_000_000L) {
            throw JsError.CONSUMER_SMALL_HEARTBEAT.raise();
        }
    }

    private static boolean isReserved(String subject) {
        return List.of("$JS.API.", "$JS.ACK.", "$JS.FC.", "$JSC.", "$NRG.", "$SYS.").stream()
                .anyMatch(subject::startsWith);
    }

    private void pull(ConsumerConfig c) {
        if (c.ackPolicy() == AckPolicy.NONE && stream.retention() == RetentionPolicy.WORKQUEUE) {
            throw JsError.CONSUMER_PULL_REQUIRES_ACK.raise();
        }
        if (c.rateLimitBps() > 0) {
            throw JsError.CONSUMER_PULL_WITH_RATE_LIMIT.raise();
        }
        if (c.idleHeartbeat() > 0) {
            throw JsError.CONSUMER_HB_REQUIRES_PUSH.raise();
        }
        if (c.flowControl()) {
            throw JsError.CONSUMER_FC_REQUIRES_PUSH.raise();
        }
        if (c.maxExpires() != 0 && c.maxExpires() < 1_000_000L) {
            throw JsError.CONSUMER_MAX_REQUEST_EXPIRES_TOO_SMALL.raise();
        }
        if (options.maxRequestBatch() > 0 && c.maxBatch() > options.maxRequestBatch()) {
            throw JsError.CONSUMER_MAX_REQUEST_BATCH_EXCEEDED.raise(options.maxRequestBatch());
        }
    }

    private void ackPending(ConsumerConfig c) {
        atMost(c.maxAckPending(), options.maxAckPending());
        if (limits != null) {
            atMost(c.maxAckPending(), limits.maxAckPending());
        }
        if (stream.consumerLimits() != null) {
            atMost(c.maxAckPending(), stream.consumerLimits().maxAckPending());
            long threshold = stream.consumerLimits().inactiveThreshold();
            if (threshold > 0 && c.inactiveThreshold() > threshold) {
                throw JsError.CONSUMER_INACTIVE_THRESHOLD_EXCESS.raise(GoTime.formatDuration(threshold));
            }
        }
    }

    private static void atMost(int value, long limit) {
        if (limit > 0 && value > limit) {
            throw JsError.CONSUMER_MAX_PENDING_ACK_EXCESS.raise(limit);
        }
    }

    private static void direct(ConsumerConfig c) {
        if (!c.direct()) {
            return;
        }
        if (c.deliverSubject().isEmpty()) {
            throw JsError.CONSUMER_DIRECT_REQUIRES_PUSH.raise();
        }
        if (!c.durableName().isEmpty()) {
            throw JsError.CONSUMER_DIRECT_REQUIRES_EPHEMERAL.raise();
        }
    }

    private static void filters(ConsumerConfig c) {
        if (!c.filterSubject().isEmpty() && !c.filterSubjects().isEmpty()) {
            throw JsError.CONSUMER_DUPLICATE_FILTER_SUBJECTS.raise();
        }
        if (!c.filterSubject().isEmpty() && !Subjects.isValidPattern(Subjects.fromUtf8(c.filterSubject()))) {
            throw JsError.STREAM_INVALID_CONFIG.raise("invalid subject");
        }
        if (c.filterSubjects().contains("")) {
            throw JsError.CONSUMER_EMPTY_FILTER.raise();
        }
        List<String> filters =
                c.filterSubjects().stream().map(Subjects::fromUtf8).toList();
        for (String filter : filters) {
            if (!Subjects.isValidPattern(filter)) {
                throw JsError.STREAM_INVALID_CONFIG.raise("invalid subject");
            }
        }
        for (int i = 0; i < filters.size(); i++) {
            for (int j = 0; j < filters.size(); j++) {
                if (i != j && Subjects.isSubset(filters.get(i), filters.get(j))) {
                    throw JsError.CONSUMER_OVERLAPPING_SUBJECT_FILTERS.raise();
                }
            }
        }
    }

    private static void start(ConsumerConfig c) {
        boolean sequence = c.optStartSeq() != 0;
        boolean time = c.optStartTime() != null;
        String policy = c.deliverPolicy().wire().replace('_', ' ');
        switch (c.deliverPolicy()) {
            case BY_START_SEQUENCE -> {
                if (!sequence) {
                    throw policy(policy, "start sequence", " is not set");
                }
                if (time) {
                    throw policy(policy, "start time", " is also set");
                }
            }
            case BY_START_TIME -> {
                if (!time) {
                    throw policy(policy, "start time", " is not set");
                }
                if (sequence) {
                    throw policy(policy, "start start sequence", " is also set");
                }
            }
            case ALL, LAST, NEW, LAST_PER_SUBJECT -> {
                if (sequence) {
                    throw policy(policy, "start sequence", " is also set");
                }
                if (time) {
                    throw policy(policy, "start time", " is also set");
                }
            }
        }
        if (c.deliverPolicy() == DeliverPolicy.LAST_PER_SUBJECT
                && c.filterSubject().isEmpty()
                && c.filterSubjects().isEmpty()) {
            throw policy(policy, "filter subject", " is not set");
        }
    }

    private static JsException policy(String policy, String what, String how) {
        return JsError.CONSUMER_INVALID_POLICY.raise(
                "consumer delivery policy is deliver " + policy + ", but optional " + what + how);
    }

    private static void rest(ConsumerConfig c) {
        sampling(c.sampleFreq());
        if (c.flowControl() && c.idleHeartbeat() == 0) {
            throw JsError.CONSUMER_WITH_FLOW_CONTROL_NEEDS_HEARTBEATS.raise();
        }
        if (!c.durableName().isEmpty() && !c.name().isEmpty() && !c.name().equals(c.durableName())) {
            throw JsError.CONSUMER_CREATE_DURABLE_AND_NAME_MISMATCH.raise();
        }
        if (StreamConfigRules.metadataSize(c.metadata()) > StreamConfigRules.MAX_METADATA) {
            throw JsError.CONSUMER_METADATA_LENGTH.raise(StreamConfigRules.MAX_METADATA / 1024 + "KB");
        }
        if (c.priorityPolicy() != null) {
            if (!c.deliverSubject().isEmpty()) {
                throw JsError.CONSUMER_PUSH_WITH_PRIORITY_GROUP.raise();
            }
            if (c.priorityGroups().isEmpty()) {
                throw JsError.CONSUMER_PRIORITY_POLICY_WITHOUT_GROUP.raise();
            }
            throw JsError.CONSUMER_CREATE.raise("priority groups not supported by this server");
        }
        if (!c.priorityGroups().isEmpty()) {
            throw JsError.CONSUMER_PRIORITY_GROUP_WITH_POLICY_NONE.raise();
        }
        if (c.priorityTimeout() > 0) {
            throw JsError.CONSUMER_PINNED_TTL_WITHOUT_PRIORITY_POLICY_NONE.raise();
        }
    }

    private static void sampling(String frequency) {
        if (frequency.isEmpty()) {
            return;
        }
        String digits = frequency.endsWith("%") ? frequency.substring(0, frequency.length() - 1) : frequency;
        try {
            if (Integer.parseInt(digits) < 0) {
                throw JsError.CONSUMER_INVALID_SAMPLING.raise("negative");
            }
        } catch (NumberFormatException e) {
            throw JsError.CONSUMER_INVALID_SAMPLING.raise("strconv.Atoi: parsing \"" + digits + "\": invalid syntax");
        }
    }
}
