package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ConsumerRuntime;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.AccountLimits;
import io.penstock.protocol.jetstream.AccountTier;
import io.penstock.protocol.jetstream.ApiStats;
import io.penstock.protocol.jetstream.ClusterInfo;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.ConsumerInfo;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.SequenceInfo;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.protocol.jetstream.StreamInfo;
import io.penstock.protocol.jetstream.StreamStateInfo;
import io.penstock.storage.StreamState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows streams, consumers and accounts the way the API does. */
public final class Views {
    /** Names in one answer of a list of names. */
    public static final int NAMES_PAGE = 1024;

    /** Entries in one answer of a list. */
    public static final int LIST_PAGE = 256;

    private Views() {}

    private static Map<String, String> withVersion(Map<String, String> metadata) {
        Map<String, String> all = new HashMap<>(metadata);
        all.put("_nats.level", Integer.toString(ServerIdentity.API_LEVEL));
        all.put("_nats.ver", ServerIdentity.PROTOCOL_VERSION);
        return all;
    }

    /** The level a consumer asks of a server changes as it is paused and resumed. */
    private static Map<String, String> withLevel(ConsumerConfig config) {
        Map<String, String> all = withVersion(config.metadata());
        all.put("_nats.req.level", config.pauseUntil() == null ? "0" : "1");
        return all;
    }

    private static <T> Map<String, T> sorted(Map<String, T> map) {
        return new TreeMap<>(map);
    }

    /** A stream, with metadata about the server's version when {@code versions}. */
    public static StreamInfo stream(
            StreamRuntime stream, boolean versions, boolean leader, Map<String, Long> subjects, List<Long> deleted) {
        return stream(stream.engine(), stream.machine(), versions, leader, subjects, deleted);
    }

    private static StreamInfo stream(
            Engine engine,
            StreamMachine machine,
            boolean versions,
            boolean leader,
            Map<String, Long> subjects,
            List<Long> deleted) {
        StreamConfig config = machine.config();
        if (versions) {
            config = config.toBuilder().metadata(withVersion(config.metadata())).build();
        }
        String domain = engine.options().domain();
        return new StreamInfo(
                config,
                GoTime.instant(machine.created()),
                state(machine, subjects, deleted),
                domain,
                cluster(engine, leader),
                GoTime.instant(engine.loop().now()));
    }

    /** A stream as a node has it that may not lead it: as far as its log is applied there. */
    static StreamInfo replica(Engine engine, StreamMachine machine) {
        return stream(engine, machine, true, true, null, null);
    }

    private static ClusterInfo cluster(Engine engine, boolean aloneToo) {
        ClusterInfo cluster = ClusterViews.of(engine);
        return cluster == null && aloneToo ? ClusterInfo.alone(engine.options().serverName()) : cluster;
    }

    private static StreamStateInfo state(StreamMachine machine, Map<String, Long> subjects, List<Long> deleted) {
        return state(machine.store().state(), machine.consumers().size(), subjects, deleted);
    }

    static StreamStateInfo state(StreamState s, int consumers, Map<String, Long> subjects, List<Long> deleted) {
        boolean untouched = s.lastSequence() == 0;
        return new StreamStateInfo(
                s.messages(),
                s.bytes(),
                untouched ? 0 : s.firstSequence(),
                s.messages() == 0 ? GoTime.ZERO : GoTime.instant(s.firstTimestampNanos()),
                s.lastSequence(),
                s.lastTimestampNanos() == 0 ? GoTime.ZERO : GoTime.instant(s.lastTimestampNanos()),
                s.subjects(),
                subjects == null ? null : sorted(subjects),
                s.deleted(),
                deleted,
                consumers);
    }

    /** A consumer, with metadata about the server's version when {@code versions}. */
    public static ConsumerInfo consumer(StreamRuntime stream, ConsumerRuntime consumer, boolean versions) {
        return consumer(stream.engine(), stream.machine(), consumer.live(), consumer, versions);
    }

    /** A consumer as a node has it that does not lead its stream: who waits and what is undelivered only leaders know. */
    static ConsumerInfo replica(Engine engine, StreamMachine stream, ConsumerState consumer) {
        return consumer(engine, stream, consumer, null, true);
    }

    /** @param led the consumer at work, null where it is not led */
    private static ConsumerInfo consumer(
            Engine engine, StreamMachine stream, ConsumerState consumer, ConsumerRuntime led, boolean versions) {
        return new ConsumerInfo(
                stream.config().name(),
                consumer.name(),
                GoTime.instant(consumer.created()),
                config(stream, consumer, versions),
                new SequenceInfo(
                        consumer.deliveredConsumer(), consumer.deliveredStream(), time(consumer.deliveredAt())),
                new SequenceInfo(consumer.ackFloorConsumer(), consumer.ackFloorStream(), time(consumer.ackedAt())),
                consumer.pending().size(),
                (int) consumer.redelivered(),
                led == null ? 0 : led.numWaiting(),
                led == null ? 0 : led.numPending(),
                cluster(engine, false),
                led != null && led.pushBound(),
                led != null && led.paused(),
                led == null ? 0 : led.pauseRemaining(),
                GoTime.instant(engine.loop().now()));
    }

    /** Never with more replicas than the stream has, which may have had more when the consumer was made. */
    private static ConsumerConfig config(StreamMachine stream, ConsumerState consumer, boolean versions) {
        ConsumerConfig config = consumer.config();
        int most = stream.config().numReplicas();
        if (config.numReplicas() > most) {
            config = config.toBuilder().numReplicas(most).build();
        }
        return versions ? config.toBuilder().metadata(withLevel(config)).build() : config;
    }

    private static Instant time(long nanos) {
        return nanos == 0 ? null : GoTime.instant(nanos);
    }

    /** An account's usage and limits. */
    static ObjectNode account(AccountRuntime account) {
        Resources.Usage u = Resources.usage(account);
        JetStreamLimits limits = account.limits();
        boolean tiered = !limits.tiers().isEmpty();
        ObjectNode node = JetStreamJson.tree(tier(u, tiered ? zero() : limits(limits)));
        String domain = account.host().options().domain();
        if (!domain.isEmpty()) {
            node.put("domain", domain);
        }
        node.set(
                "api",
                JetStreamJson.tree(new ApiStats(
                        ServerIdentity.API_LEVEL, account.apiTotal(), account.apiErrors(), account.apiWaiting())));
        if (tiered) {
            ObjectNode tiers = JetStreamJson.object();
            new TreeMap<>(limits.tiers()).forEach((name, tierLimits) -> {
                Resources.Usage used = name.equals("R1") ? u : new Resources.Usage(0, 0, 0, 0, 0, 0);
                tiers.set(name, JetStreamJson.tree(tier(used, limits(tierLimits))));
            });
            node.set("tiers", tiers);
        }
        return node;
    }

    private static AccountTier tier(Resources.Usage u, AccountLimits limits) {
        return new AccountTier(
                u.memory(), u.storage(), u.reservedMemory(), u.reservedStorage(), u.streams(), u.consumers(), limits);
    }

    private static AccountLimits zero() {
        return new AccountLimits(0, 0, 0, 0, 0, 0, 0, false);
    }

    /** Limits as the API shows them. */
    public static AccountLimits limits(JetStreamLimits l) {
        return new AccountLimits(
                l.memoryBytes(),
                l.storageBytes(),
                l.streams(),
                l.consumers(),
                l.maxAckPending(),
                l.memoryMaxStreamBytes(),
                l.storageMaxStreamBytes(),
                l.maxBytesRequired());
    }
}
