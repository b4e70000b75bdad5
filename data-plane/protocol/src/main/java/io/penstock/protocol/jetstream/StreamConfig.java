package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * How a stream behaves. Durations are nanoseconds; -1 stands for no limit.
 */
public record StreamConfig(
        @JsonProperty("name") String name,

        @JsonProperty("description") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String description,

        @JsonProperty("subjects") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> subjects,

        @JsonProperty("retention") RetentionPolicy retention,
        @JsonProperty("max_consumers") int maxConsumers,
        @JsonProperty("max_msgs") long maxMsgs,
        @JsonProperty("max_bytes") long maxBytes,
        @JsonProperty("max_age") long maxAge,
        @JsonProperty("max_msgs_per_subject") long maxMsgsPerSubject,

        @JsonProperty("max_msg_size") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int maxMsgSize,

        @JsonProperty("discard") DiscardPolicy discard,
        @JsonProperty("storage") StorageType storage,
        @JsonProperty("num_replicas") int numReplicas,

        @JsonProperty("no_ack") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean noAck,

        @JsonProperty("duplicate_window") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long duplicateWindow,

        @JsonProperty("placement") @JsonInclude(JsonInclude.Include.NON_NULL)
        Placement placement,

        @JsonProperty("mirror") @JsonInclude(JsonInclude.Include.NON_NULL)
        StreamSource mirror,

        @JsonProperty("sources") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<StreamSource> sources,

        @JsonProperty("compression") StoreCompression compression,

        @JsonProperty("first_seq") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long firstSeq,

        @JsonProperty("subject_transform") @JsonInclude(JsonInclude.Include.NON_NULL)
        SubjectTransformConfig subjectTransform,

        @JsonProperty("republish") @JsonInclude(JsonInclude.Include.NON_NULL)
        Republish republish,

        @JsonProperty("allow_direct") boolean allowDirect,
        @JsonProperty("mirror_direct") boolean mirrorDirect,

        @JsonProperty("discard_new_per_subject") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean discardNewPerSubject,

        @JsonProperty("sealed") boolean sealed,
        @JsonProperty("deny_delete") boolean denyDelete,
        @JsonProperty("deny_purge") boolean denyPurge,
        @JsonProperty("allow_rollup_hdrs") boolean allowRollupHdrs,
        @JsonProperty("consumer_limits") StreamConsumerLimits consumerLimits,
        @JsonProperty("allow_msg_ttl") boolean allowMsgTtl,

        @JsonProperty("subject_delete_marker_ttl") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        long subjectDeleteMarkerTtl,

        @JsonProperty("allow_msg_counter") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean allowMsgCounter,

        @JsonProperty("allow_atomic") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean allowAtomic,

        @JsonProperty("allow_msg_schedules") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean allowMsgSchedules,

        @JsonProperty("persist_mode") @JsonInclude(JsonInclude.Include.NON_NULL)
        PersistMode persistMode,

        @JsonProperty("allow_batched") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean allowBatched,

        @JsonProperty("metadata") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Map<String, String> metadata) {
    /** Absent values become their defaults. */
    public StreamConfig {
        name = name == null ? "" : name;
        description = description == null ? "" : description;
        subjects = subjects == null ? List.of() : List.copyOf(subjects);
        retention = retention == null ? RetentionPolicy.LIMITS : retention;
        discard = discard == null ? DiscardPolicy.OLD : discard;
        storage = storage == null ? StorageType.FILE : storage;
        sources = sources == null ? List.of() : List.copyOf(sources);
        compression = compression == null ? StoreCompression.NONE : compression;
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
    }

    /** A builder with every value at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this configuration. */
    public Builder toBuilder() {
        Builder b = new Builder();
        b.name = name;
        b.description = description;
        b.subjects = subjects;
        b.retention = retention;
        b.maxConsumers = maxConsumers;
        b.maxMsgs = maxMsgs;
        b.maxBytes = maxBytes;
        b.maxAge = maxAge;
        b.maxMsgsPerSubject = maxMsgsPerSubject;
        b.maxMsgSize = maxMsgSize;
        b.discard = discard;
        b.storage = storage;
        b.numReplicas = numReplicas;
        b.noAck = noAck;
        b.duplicateWindow = duplicateWindow;
        b.placement = placement;
        b.mirror = mirror;
        b.sources = sources;
        b.compression = compression;
        b.firstSeq = firstSeq;
        b.subjectTransform = subjectTransform;
        b.republish = republish;
        b.allowDirect = allowDirect;
        b.mirrorDirect = mirrorDirect;
        b.discardNewPerSubject = discardNewPerSubject;
        b.sealed = sealed;
        b.denyDelete = denyDelete;
        b.denyPurge = denyPurge;
        b.allowRollupHdrs = allowRollupHdrs;
        b.consumerLimits = consumerLimits;
        b.allowMsgTtl = allowMsgTtl;
        b.subjectDeleteMarkerTtl = subjectDeleteMarkerTtl;
        b.allowMsgCounter = allowMsgCounter;
        b.allowAtomic = allowAtomic;
        b.allowMsgSchedules = allowMsgSchedules;
        b.persistMode = persistMode;
        b.allowBatched = allowBatched;
        b.metadata = metadata;
        return b;
    }

    /** Collects values one by one. */
    public static final class Builder {
        private String name;
        private String description;
        private List<String> subjects;
        private RetentionPolicy retention;
        private int maxConsumers;
        private long maxMsgs;
        private long maxBytes;
        private long maxAge;
        private long maxMsgsPerSubject;
        private int maxMsgSize;
        private DiscardPolicy discard;
        private StorageType storage;
        private int numReplicas;
        private boolean noAck;
        private long duplicateWindow;
        private Placement placement;
        private StreamSource mirror;
        private List<StreamSource> sources;
        private StoreCompression compression;
        private long firstSeq;
        private SubjectTransformConfig subjectTransform;
        private Republish republish;
        private boolean allowDirect;
        private boolean mirrorDirect;
        private boolean discardNewPerSubject;
        private boolean sealed;
        private boolean denyDelete;
        private boolean denyPurge;
        private boolean allowRollupHdrs;
        private StreamConsumerLimits consumerLimits;
        private boolean allowMsgTtl;
        private long subjectDeleteMarkerTtl;
        private boolean allowMsgCounter;
        private boolean allowAtomic;
        private boolean allowMsgSchedules;
        private PersistMode persistMode;
        private boolean allowBatched;
        private Map<String, String> metadata;

        private Builder() {}

        public Builder name(String value) {
            this.name = value;
            return this;
        }

        public Builder description(String value) {
            this.description = value;
            return this;
        }

        public Builder subjects(List<String> value) {
            this.subjects = value;
            return this;
        }

        public Builder retention(RetentionPolicy value) {
            this.retention = value;
            return this;
        }

        public Builder maxConsumers(int value) {
            this.maxConsumers = value;
            return this;
        }

        public Builder maxMsgs(long value) {
            this.maxMsgs = value;
            return this;
        }

        public Builder maxBytes(long value) {
            this.maxBytes = value;
            return this;
        }

        public Builder maxAge(long value) {
            this.maxAge = value;
            return this;
        }

        public Builder maxMsgsPerSubject(long value) {
            this.maxMsgsPerSubject = value;
            return this;
        }

        public Builder maxMsgSize(int value) {
            this.maxMsgSize = value;
            return this;
        }

        public Builder discard(DiscardPolicy value) {
            this.discard = value;
            return this;
        }

        public Builder storage(StorageType value) {
            this.storage = value;
            return this;
        }

        public Builder numReplicas(int value) {
            this.numReplicas = value;
            return this;
        }

        public Builder noAck(boolean value) {
            this.noAck = value;
            return this;
        }

        public Builder duplicateWindow(long value) {
            this.duplicateWindow = value;
            return this;
        }

        public Builder placement(Placement value) {
            this.placement = value;
            return this;
        }

        public Builder mirror(StreamSource value) {
            this.mirror = value;
            return this;
        }

        public Builder sources(List<StreamSource> value) {
            this.sources = value;
            return this;
        }

        public Builder compression(StoreCompression value) {
            this.compression = value;
            return this;
        }

        public Builder firstSeq(long value) {
            this.firstSeq = value;
            return this;
        }

        public Builder subjectTransform(SubjectTransformConfig value) {
            this.subjectTransform = value;
            return this;
        }

        public Builder republish(Republish value) {
            this.republish = value;
            return this;
        }

        public Builder allowDirect(boolean value) {
            this.allowDirect = value;
            return this;
        }

        public Builder mirrorDirect(boolean value) {
            this.mirrorDirect = value;
            return this;
        }

        public Builder discardNewPerSubject(boolean value) {
            this.discardNewPerSubject = value;
            return this;
        }

        public Builder sealed(boolean value) {
            this.sealed = value;
            return this;
        }

        public Builder denyDelete(boolean value) {
            this.denyDelete = value;
            return this;
        }

        public Builder denyPurge(boolean value) {
            this.denyPurge = value;
            return this;
        }

        public Builder allowRollupHdrs(boolean value) {
            this.allowRollupHdrs = value;
            return this;
        }

        public Builder consumerLimits(StreamConsumerLimits value) {
            this.consumerLimits = value;
            return this;
        }

        public Builder allowMsgTtl(boolean value) {
            this.allowMsgTtl = value;
            return this;
        }

        public Builder subjectDeleteMarkerTtl(long value) {
            this.subjectDeleteMarkerTtl = value;
            return this;
        }

        public Builder allowMsgCounter(boolean value) {
            this.allowMsgCounter = value;
            return this;
        }

        public Builder allowAtomic(boolean value) {
            this.allowAtomic = value;
            return this;
        }

        public Builder allowMsgSchedules(boolean value) {
            this.allowMsgSchedules = value;
            return this;
        }

        public Builder persistMode(PersistMode value) {
            this.persistMode = value;
            return this;
        }

        public Builder allowBatched(boolean value) {
            this.allowBatched = value;
            return this;
        }

        public Builder metadata(Map<String, String> value) {
            this.metadata = value;
            return this;
        }

        public StreamConfig build() {
            return new StreamConfig(
                    name,
                    description,
                    subjects,
                    retention,
                    maxConsumers,
                    maxMsgs,
                    maxBytes,
                    maxAge,
                    maxMsgsPerSubject,
                    maxMsgSize,
                    discard,
                    storage,
                    numReplicas,
                    noAck,
                    duplicateWindow,
                    placement,
                    mirror,
                    sources,
                    compression,
                    firstSeq,
                    subjectTransform,
                    republish,
                    allowDirect,
                    mirrorDirect,
                    discardNewPerSubject,
                    sealed,
                    denyDelete,
                    denyPurge,
                    allowRollupHdrs,
                    consumerLimits,
                    allowMsgTtl,
                    subjectDeleteMarkerTtl,
                    allowMsgCounter,
                    allowAtomic,
                    allowMsgSchedules,
                    persistMode,
                    allowBatched,
                    metadata);
        }
    }
}
