package io.penstock.jetstream.api;

import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectTransform;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.DiscardPolicy;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.PersistMode;
import io.penstock.protocol.jetstream.Placement;
import io.penstock.protocol.jetstream.Republish;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.protocol.jetstream.StreamConsumerLimits;
import io.penstock.protocol.jetstream.SubjectTransformConfig;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a stream's configuration must obey by itself, and its defaults. */
public final class StreamConfigRules {
    static final int MAX_NAME = 255;
    static final int MAX_DESCRIPTION = 4 << 10;
    static final int MAX_METADATA = 128 << 10;
    private static final int MAX_REPLICAS = 5;
    private static final long MIN_DURATION = 100_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long DEFAULT_WINDOW = 120 * SECOND;
    private static final String LEVEL = "_nats.req.level";

    private final JetStreamOptions options;
    private final JetStreamLimits limits;
    private final boolean pedantic;

    public StreamConfigRules(JetStreamOptions options, JetStreamLimits limits, boolean pedantic) {
        this.options = options;
        this.limits = limits;
        this.pedantic = pedantic;
    }

    /** A valid name of a stream or consumer. */
    static boolean isName(String name) {
        if (name.isEmpty()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (" \t\r\n\f.*>\\/".indexOf(name.charAt(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static JsException invalid(String text) {
        return JsError.STREAM_INVALID_CONFIG.raise(text);
    }

    /**
     * The configuration as it will be stored.
     *
     * @throws JsException when it breaks a rule
     */
    public StreamConfig check(StreamConfig given) {
        checkTexts(given);
        checkSupported(given);
        StreamConfig.Builder b = given.toBuilder();
        replicas(given, b);
        b.maxMsgs(unlimited(given.maxMsgs(), "max_msgs"));
        b.maxMsgsPerSubject(unlimited(given.maxMsgsPerSubject(), "max_msgs_per_subject"));
        b.maxBytes(unlimited(given.maxBytes(), "max_bytes"));
        b.maxMsgSize((int) unlimited(given.maxMsgSize(), "max_msg_size"));
        b.maxConsumers((int) unlimited(given.maxConsumers(), "max_consumers"));
        if (given.consumerLimits() == null) {
            b.consumerLimits(new StreamConsumerLimits(0, 0));
        }
        if (given.placement() != null && given.placement().equals(new Placement("", List.of(), ""))) {
            b.placement(null);
        }
        durations(given, b);
        flags(given, b);
        StreamConfig config = b.build();
        config = subjects(config);
        sizes(config);
        transform(config);
        config = republish(config);
        return config.toBuilder().metadata(metadata(config)).build();
    }

    private static void checkTexts(StreamConfig c) {
        if (!isName(c.name())) {
            throw invalid("stream name is required and can not contain '.', '*', '>', '\\', '/'");
        }
        if (c.name().getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
            throw invalid("stream name is too long, maximum allowed is " + MAX_NAME);
        }
        if (c.description().getBytes(StandardCharsets.UTF_8).length > MAX_DESCRIPTION) {
            throw invalid("stream description is too long, maximum allowed is " + MAX_DESCRIPTION);
        }
        if (metadataSize(c.metadata()) > MAX_METADATA) {
            throw invalid("stream metadata exceeds maximum size of " + MAX_METADATA + " bytes");
        }
        if (c.placement() != null && !c.placement().preferred().isEmpty()) {
            throw invalid("preferred server not permitted in placement");
        }
    }

    static int metadataSize(Map<String, String> metadata) {
        int size = 0;
        for (Map.Entry<String, String> e : metadata.entrySet()) {
            size += e.getKey().getBytes(StandardCharsets.UTF_8).length
                    + e.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        return size;
    }

    /** Features of the protocol that this server does not offer are refused, never ignored. */
    private static void checkSupported(StreamConfig c) {
        String feature = null;
        if (c.mirror() != null) {
            feature = "mirrors";
        } else if (!c.sources().isEmpty()) {
            feature = "sources";
        } else if (c.allowMsgCounter()) {
            feature = "message counters";
        } else if (c.allowMsgSchedules()) {
            feature = "message schedules";
        } else if (c.allowBatched()) {
            feature = "fast batch publishing";
        } else if (c.persistMode() == PersistMode.ASYNC) {
            feature = "persist mode async";
        }
        if (feature != null) {
            throw invalid(feature + " not supported by this server");
        }
    }

    private static void replicas(StreamConfig c, StreamConfig.Builder b) {
        if (c.numReplicas() > MAX_REPLICAS) {
            throw invalid("maximum replicas is " + MAX_REPLICAS);
        }
        if (c.numReplicas() < 0) {
            throw JsError.REPLICAS_COUNT_CANNOT_BE_NEGATIVE.raise();
        }
        b.numReplicas(Math.max(1, c.numReplicas()));
    }

    private long unlimited(long value, String field) {
        if (value < -1 && pedantic) {
            throw JsError.PEDANTIC.raise(field + " must be set to -1");
        }
        return value <= 0 ? -1 : value;
    }

    private void durations(StreamConfig c, StreamConfig.Builder b) {
        if (c.maxAge() < 0) {
            throw invalid("max age can not be negative");
        }
        if (c.maxAge() != 0 && c.maxAge() < MIN_DURATION) {
            throw invalid("max age needs to be >= 100ms");
        }
        long window = c.duplicateWindow();
        if (window == 0) {
            window = defaultWindow(c.maxAge());
        }
        if (window < 0) {
            throw invalid("duplicates window can not be negative");
        }
        if (c.maxAge() != 0 && window > c.maxAge()) {
            throw invalid("duplicates window can not be larger then max age");
        }
        if (options.duplicateWindow() > 0 && window > options.duplicateWindow()) {
            throw invalid("duplicates window can not be larger then server limit of "
                    + GoTime.formatDuration(options.duplicateWindow()));
        }
        if (window > 0 && window < MIN_DURATION) {
            throw invalid("duplicates window needs to be >= 100ms");
        }
        b.duplicateWindow(window);
    }

    private long defaultWindow(long maxAge) {
        long window = DEFAULT_WINDOW;
        if (options.duplicateWindow() > 0 && window > options.duplicateWindow()) {
            if (pedantic) {
                throw JsError.PEDANTIC.raise("duplicate window limits are higher than current limits");
            }
            window = options.duplicateWindow();
        }
        if (maxAge != 0 && maxAge < window) {
            if (pedantic) {
                throw JsError.PEDANTIC.raise("duplicate window cannot be bigger than max age");
            }
            window = maxAge;
        }
        return window;
    }

    private void flags(StreamConfig c, StreamConfig.Builder b) {
        if (c.mirrorDirect()) {
            throw invalid("stream has no mirror but does have mirror direct");
        }
        if (c.denyPurge() && c.allowRollupHdrs()) {
            throw invalid("roll-ups require the purge permission");
        }
        if (c.discardNewPerSubject()) {
            if (c.discard() != DiscardPolicy.NEW) {
                throw invalid("discard new per subject requires discard new policy to be set");
            }
            if (c.maxMsgsPerSubject() <= 0) {
                throw invalid("discard new per subject requires max msgs per subject > 0");
            }
        }
        long marker = c.subjectDeleteMarkerTtl();
        if (marker < 0) {
            throw invalid("subject delete marker TTL must not be negative");
        }
        if (marker > 0) {
            if (marker < SECOND) {
                throw invalid("subject delete marker TTL must be at least 1 second");
            }
            if (pedantic && !c.allowMsgTtl()) {
                throw invalid("subject delete marker cannot be set if message TTLs are disabled");
            }
            if (pedantic && !c.allowRollupHdrs()) {
                throw invalid("subject delete marker cannot be set if roll-ups are disabled");
            }
            b.allowMsgTtl(true);
            if (!c.allowRollupHdrs()) {
                b.allowRollupHdrs(true).denyPurge(false);
            }
        }
        if (c.persistMode() == PersistMode.DEFAULT) {
            b.persistMode(null);
        }
    }

    private static StreamConfig subjects(StreamConfig c) {
        if (c.subjects().isEmpty()) {
            return c.toBuilder().subjects(List.of(c.name())).build();
        }
        for (int i = 0; i < c.subjects().size(); i++) {
            String subject = Subjects.fromUtf8(c.subjects().get(i));
            if (!Subjects.isValidPattern(subject)) {
                throw invalid("invalid subject");
            }
            reserved(c, subject);
            for (String other : c.subjects().subList(i + 1, c.subjects().size())) {
                String wire = Subjects.fromUtf8(other);
                if (Subjects.isValidPattern(wire) && Subjects.overlap(wire, subject)) {
                    throw invalid("subject \"" + c.subjects().get(i) + "\" overlaps with \"" + other + "\"");
                }
            }
        }
        return c;
    }

    private static void reserved(StreamConfig c, String subject) {
        if (c.noAck()) {
            return;
        }
        if (subject.equals(">")) {
            throw invalid("capturing all subjects requires no-ack to be true");
        }
        for (String space : List.of("$JS.>", "$JSC.>", "$NRG.>")) {
            if (Subjects.overlap(subject, space) && !Subjects.isSubset(subject, "$JS.EVENT.>")) {
                throw invalid("subjects that overlap with jetstream api require no-ack to be true");
            }
        }
        if (Subjects.overlap(subject, "$SYS.>") && !Subjects.isSubset(subject, "$SYS.ACCOUNT.>")) {
            throw invalid("subjects that overlap with system api require no-ack to be true");
        }
    }

    private void sizes(StreamConfig c) {
        if (limits == null) {
            return;
        }
        if (limits.maxBytesRequired() && c.maxBytes() <= 0) {
            throw JsError.STREAM_MAX_BYTES_REQUIRED.raise();
        }
        long largest =
                c.storage() == StorageType.MEMORY ? limits.memoryMaxStreamBytes() : limits.storageMaxStreamBytes();
        if (largest > 0 && c.maxBytes() > largest) {
            throw JsError.STREAM_MAX_STREAM_BYTES_EXCEEDED.raise();
        }
    }

    private static void transform(StreamConfig c) {
        SubjectTransformConfig t = c.subjectTransform();
        if (t == null) {
            return;
        }
        if (!t.src().isEmpty() && !Subjects.isValidPattern(Subjects.fromUtf8(t.src()))) {
            throw JsError.STREAM_TRANSFORM_INVALID_SOURCE.raise("invalid subject " + t.src());
        }
        try {
            SubjectTransform.of(t.src().isEmpty() ? ">" : Subjects.fromUtf8(t.src()), Subjects.fromUtf8(t.dest()));
        } catch (InvalidTransformException e) {
            throw JsError.STREAM_TRANSFORM_INVALID_DESTINATION.raise(e.getMessage());
        }
    }

    private StreamConfig republish(StreamConfig c) {
        Republish r = c.republish();
        if (r == null) {
            return c;
        }
        if (r.src().isEmpty() && pedantic) {
            throw JsError.PEDANTIC.raise("republish source can not be empty");
        }
        String source = r.src().isEmpty() ? ">" : r.src();
        String destination = r.dest();
        SubjectTransformConfig t = c.subjectTransform();
        if (destination.equals(">")
                && source.equals(">")
                && t != null
                && c.subjects().equals(List.of(t.src()))) {
            if (pedantic) {
                throw JsError.PEDANTIC.raise("implicit republish based on subject transform");
            }
            source = t.dest();
            destination = t.dest();
        }
        String wire = Subjects.fromUtf8(destination);
        for (String subject : c.subjects()) {
            if (Subjects.isValidPattern(wire) && Subjects.overlap(wire, Subjects.fromUtf8(subject))) {
                throw invalid("stream configuration for republish destination forms a cycle");
            }
        }
        try {
            SubjectTransform.of(Subjects.fromUtf8(source), wire);
        } catch (InvalidTransformException e) {
            throw invalid("stream configuration for republish with transform from '" + source + "' to '" + destination
                    + "' not valid");
        }
        return c.toBuilder()
                .republish(new Republish(source, destination, r.headersOnly()))
                .build();
    }

    private static Map<String, String> metadata(StreamConfig c) {
        Map<String, String> metadata = withoutOurs(c.metadata());
        boolean ttl = c.allowMsgTtl() || c.subjectDeleteMarkerTtl() > 0;
        metadata.put(LEVEL, c.allowAtomic() ? "2" : ttl ? "1" : "0");
        return metadata;
    }

    static Map<String, String> withoutOurs(Map<String, String> given) {
        Map<String, String> metadata = new HashMap<>(given);
        metadata.remove("_nats.ver");
        metadata.remove("_nats.level");
        return metadata;
    }

    /**
     * The configuration a stream gets when {@code given} replaces {@code before}.
     *
     * @throws JsException when the change is not allowed
     */
    public StreamConfig checkUpdate(StreamConfig before, StreamConfig given) {
        StreamConfig next = check(given);
        if (next.numReplicas() > 1 && options.clusterName().isEmpty()) {
            throw JsError.STREAM_REPLICAS_NOT_SUPPORTED.raise();
        }
        if (next.storage() != before.storage()) {
            throw invalid("stream configuration update can not change storage type");
        }
        if (next.retention() != before.retention()
                && (before.retention() == RetentionPolicy.WORKQUEUE || next.retention() == RetentionPolicy.WORKQUEUE)) {
            throw invalid("stream configuration update can not change retention policy to/from workqueue");
        }
        stays(before.sealed(), next.sealed(), "unseal a sealed stream");
        stays(before.denyDelete(), next.denyDelete(), "cancel deny message deletes");
        stays(before.denyPurge(), next.denyPurge(), "cancel deny purge");
        if (before.allowMsgTtl() && !next.allowMsgTtl()) {
            throw invalid("message TTL status can not be disabled");
        }
        if (!next.sealed()) {
            return next;
        }
        return next.toBuilder()
                .maxAge(0)
                .discard(DiscardPolicy.NEW)
                .denyDelete(true)
                .denyPurge(true)
                .allowRollupHdrs(false)
                .build();
    }

    private static void stays(boolean before, boolean next, String what) {
        if (before && !next) {
            throw invalid("stream configuration update can not " + what);
        }
    }
}
