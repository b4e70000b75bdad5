package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * How a consumer behaves. Durations are nanoseconds.
 */
public record ConsumerConfig(
        @JsonProperty("durable_name") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String durableName,

        @JsonProperty("name") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String name,

        @JsonProperty("description") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String description,

        @JsonProperty("deliver_policy") DeliverPolicy deliverPolicy,

        @JsonProperty("opt_start_seq") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long optStartSeq,

        @JsonProperty("opt_start_time") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant optStartTime,

        @JsonProperty("ack_policy") AckPolicy ackPolicy,

        @JsonProperty("ack_wait") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long ackWait,

        @JsonProperty("max_deliver") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxDeliver,

        @JsonProperty("backoff") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Long> backoff,

        @JsonProperty("filter_subject") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String filterSubject,

        @JsonProperty("filter_subjects") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> filterSubjects,

        @JsonProperty("replay_policy") ReplayPolicy replayPolicy,

        @JsonProperty("rate_limit_bps") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long rateLimitBps,

        @JsonProperty("sample_freq") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String sampleFreq,

        @JsonProperty("max_waiting") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxWaiting,

        @JsonProperty("max_ack_pending") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxAckPending,

        @JsonProperty("flow_control") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean flowControl,

        @JsonProperty("headers_only") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean headersOnly,

        @JsonProperty("max_batch") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxBatch,

        @JsonProperty("max_expires") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long maxExpires,

        @JsonProperty("max_bytes") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxBytes,

        @JsonProperty("deliver_subject") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String deliverSubject,

        @JsonProperty("deliver_group") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String deliverGroup,

        @JsonProperty("idle_heartbeat") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long idleHeartbeat,

        @JsonProperty("inactive_threshold") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long inactiveThreshold,

        @JsonProperty("num_replicas") int numReplicas,

        @JsonProperty("mem_storage") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean memStorage,

        @JsonProperty("direct") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean direct,

        @JsonProperty("sourcing") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean sourcing,

        @JsonProperty("metadata") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Map<String, String> metadata,

        @JsonProperty("pause_until") @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant pauseUntil,

        @JsonProperty("priority_groups") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> priorityGroups,

        @JsonProperty("priority_policy") @JsonInclude(JsonInclude.Include.NON_NULL)
        PriorityPolicy priorityPolicy,

        @JsonProperty("priority_timeout") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long priorityTimeout) {
    /** Absent values become their defaults. */
    public ConsumerConfig {
        durableName = durableName == null ? "" : durableName;
        name = name == null ? "" : name;
        description = description == null ? "" : description;
        deliverPolicy = deliverPolicy == null ? DeliverPolicy.ALL : deliverPolicy;
        ackPolicy = ackPolicy == null ? AckPolicy.NONE : ackPolicy;
        backoff = backoff == null ? List.of() : List.copyOf(backoff);
        filterSubject = filterSubject == null ? "" : filterSubject;
        filterSubjects = filterSubjects == null ? List.of() : List.copyOf(filterSubjects);
        replayPolicy = replayPolicy == null ? ReplayPolicy.INSTANT : replayPolicy;
        sampleFreq = sampleFreq == null ? "" : sampleFreq;
        deliverSubject = deliverSubject == null ? "" : deliverSubject;
        deliverGroup = deliverGroup == null ? "" : deliverGroup;
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
        priorityGroups = priorityGroups == null ? List.of() : List.copyOf(priorityGroups);
    }

    /** A builder with every value at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this configuration. */
    public Builder toBuilder() {
        Builder b = new Builder();
        b.durableName = durableName;
        b.name = name;
        b.description = description;
        b.deliverPolicy = deliverPolicy;
        b.optStartSeq = optStartSeq;
        b.optStartTime = optStartTime;
        b.ackPolicy = ackPolicy;
        b.ackWait = ackWait;
        b.maxDeliver = maxDeliver;
        b.backoff = backoff;
        b.filterSubject = filterSubject;
        b.filterSubjects = filterSubjects;
        b.replayPolicy = replayPolicy;
        b.rateLimitBps = rateLimitBps;
        b.sampleFreq = sampleFreq;
        b.maxWaiting = maxWaiting;
        b.maxAckPending = maxAckPending;
        b.flowControl = flowControl;
        b.headersOnly = headersOnly;
        b.maxBatch = maxBatch;
        b.maxExpires = maxExpires;
        b.maxBytes = maxBytes;
        b.deliverSubject = deliverSubject;
        b.deliverGroup = deliverGroup;
        b.idleHeartbeat = idleHeartbeat;
        b.inactiveThreshold = inactiveThreshold;
        b.numReplicas = numReplicas;
        b.memStorage = memStorage;
        b.direct = direct;
        b.sourcing = sourcing;
        b.metadata = metadata;
        b.pauseUntil = pauseUntil;
        b.priorityGroups = priorityGroups;
        b.priorityPolicy = priorityPolicy;
        b.priorityTimeout = priorityTimeout;
        return b;
    }

    /** Collects values one by one. */
    public static final class Builder {
        private String durableName;
        private String name;
        private String description;
        private DeliverPolicy deliverPolicy;
        private long optStartSeq;
        private Instant optStartTime;
        private AckPolicy ackPolicy;
        private long ackWait;
        private int maxDeliver;
        private List<Long> backoff;
        private String filterSubject;
        private List<String> filterSubjects;
        private ReplayPolicy replayPolicy;
        private long rateLimitBps;
        private String sampleFreq;
        private int maxWaiting;
        private int maxAckPending;
        private boolean flowControl;
        private boolean headersOnly;
        private int maxBatch;
        private long maxExpires;
        private int maxBytes;
        private String deliverSubject;
        private String deliverGroup;
        private long idleHeartbeat;
        private long inactiveThreshold;
        private int numReplicas;
        private boolean memStorage;
        private boolean direct;
        private boolean sourcing;
        private Map<String, String> metadata;
        private Instant pauseUntil;
        private List<String> priorityGroups;
        private PriorityPolicy priorityPolicy;
        private long priorityTimeout;

        private Builder() {}

        public Builder durableName(String value) {
            this.durableName = value;
            return this;
        }

        public Builder name(String value) {
            this.name = value;
            return this;
        }

        public Builder description(String value) {
            this.description = value;
            return this;
        }

        public Builder deliverPolicy(DeliverPolicy value) {
            this.deliverPolicy = value;
            return this;
        }

        public Builder optStartSeq(long value) {
            this.optStartSeq = value;
            return this;
        }

        public Builder optStartTime(Instant value) {
            this.optStartTime = value;
            return this;
        }

        public Builder ackPolicy(AckPolicy value) {
            this.ackPolicy = value;
            return this;
        }

        public Builder ackWait(long value) {
            this.ackWait = value;
            return this;
        }

        public Builder maxDeliver(int value) {
            this.maxDeliver = value;
            return this;
        }

        public Builder backoff(List<Long> value) {
            this.backoff = value;
            return this;
        }

        public Builder filterSubject(String value) {
            this.filterSubject = value;
            return this;
        }

        public Builder filterSubjects(List<String> value) {
            this.filterSubjects = value;
            return this;
        }

        public Builder replayPolicy(ReplayPolicy value) {
            this.replayPolicy = value;
            return this;
        }

        public Builder rateLimitBps(long value) {
            this.rateLimitBps = value;
            return this;
        }

        public Builder sampleFreq(String value) {
            this.sampleFreq = value;
            return this;
        }

        public Builder maxWaiting(int value) {
            this.maxWaiting = value;
            return this;
        }

        public Builder maxAckPending(int value) {
            this.maxAckPending = value;
            return this;
        }

        public Builder flowControl(boolean value) {
            this.flowControl = value;
            return this;
        }

        public Builder headersOnly(boolean value) {
            this.headersOnly = value;
            return this;
        }

        public Builder maxBatch(int value) {
            this.maxBatch = value;
            return this;
        }

        public Builder maxExpires(long value) {
            this.maxExpires = value;
            return this;
        }

        public Builder maxBytes(int value) {
            this.maxBytes = value;
            return this;
        }

        public Builder deliverSubject(String value) {
            this.deliverSubject = value;
            return this;
        }

        public Builder deliverGroup(String value) {
            this.deliverGroup = value;
            return this;
        }

        public Builder idleHeartbeat(long value) {
            this.idleHeartbeat = value;
            return this;
        }

        public Builder inactiveThreshold(long value) {
            this.inactiveThreshold = value;
            return this;
        }

        public Builder numReplicas(int value) {
            this.numReplicas = value;
            return this;
        }

        public Builder memStorage(boolean value) {
            this.memStorage = value;
            return this;
        }

        public Builder direct(boolean value) {
            this.direct = value;
            return this;
        }

        public Builder sourcing(boolean value) {
            this.sourcing = value;
            return this;
        }

        public Builder metadata(Map<String, String> value) {
            this.metadata = value;
            return this;
        }

        public Builder pauseUntil(Instant value) {
            this.pauseUntil = value;
            return this;
        }

        public Builder priorityGroups(List<String> value) {
            this.priorityGroups = value;
            return this;
        }

        public Builder priorityPolicy(PriorityPolicy value) {
            this.priorityPolicy = value;
            return this;
        }

        public Builder priorityTimeout(long value) {
            this.priorityTimeout = value;
            return this;
        }

        public ConsumerConfig build() {
            return new ConsumerConfig(
                    durableName,
                    name,
                    description,
                    deliverPolicy,
                    optStartSeq,
                    optStartTime,
                    ackPolicy,
                    ackWait,
                    maxDeliver,
                    backoff,
                    filterSubject,
                    filterSubjects,
                    replayPolicy,
                    rateLimitBps,
                    sampleFreq,
                    maxWaiting,
                    maxAckPending,
                    flowControl,
                    headersOnly,
                    maxBatch,
                    maxExpires,
                    maxBytes,
                    deliverSubject,
                    deliverGroup,
                    idleHeartbeat,
                    inactiveThreshold,
                    numReplicas,
                    memStorage,
                    direct,
                    sourcing,
                    metadata,
                    pauseUntil,
                    priorityGroups,
                    priorityPolicy,
                    priorityTimeout);
        }
    }
}
