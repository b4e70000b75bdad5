package io.penstock.jetstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.InternalClient;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.RaftEngine;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.TestingCluster;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.cluster.ClusterNode;
import io.penstock.jetstream.cluster.ClusterSettings;
import io.penstock.jetstream.cluster.GroupHosting;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.GroupAssignment;
import io.penstock.jetstream.runtime.GroupSnapshots;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nodes that form a cluster by themselves, with one account, the system account and clients; in virtual time. */
final class TestingMembers {
    static final long SECOND = 1_000_000_000L;
    private static final StoreOptions SMALL = new StoreOptions(4096, 300, 600, 3000, 4, 6);

    /** One node's present life. */
    final class Member {
        final String name;
        final Host host;
        final ClusterNode cluster;
        private final Hosted hosted;

        Member(String name) {
            this.name = name;
            JetStreamOptions options = JetStreamOptions.builder(Path.of("unused"), name)
                    .clusterName("C")
                    .systemAccount("SYS")
                    .maxStorage(1 << 30)
                    .build();
            RaftEngine raft = nodes.engine(name);
            host = new Host(nodes.loop(name), options, new Random(nodes.random().nextLong()), new JsApi(options));
            hosted = new Hosted(this, raft);
            cluster = new ClusterNode(
                    host,
                    hosted,
                    raft,
                    nodes.links(name),
                    new ClusterSettings(
                            name, "C", tags.get(name), uniqueTag, 0, () -> founders, account -> {}, 20 * SECOND),
                    disks.get(name),
                    Path.of("/meta"),
                    Runnable::run);
            host.join(cluster, cluster);
            nodes.loop(name).execute(() -> {
                cluster.start();
                host.serve();
                host.enable("A", router.client(name), TestingNode.UNLIMITED);
            });
            cluster.serveSystem(system.client(name));
        }
    }

    /** Groups of a node, on its disk. */
    private final class Hosted implements GroupHosting {
        private final Member member;
        private final RaftEngine raft;
        private final Map<String, RaftGroup> logs = new TreeMap<>();
        private final Map<String, Runnable> checkpoints = new TreeMap<>();
        private Host host;

        Hosted(Member member, RaftEngine raft) {
            this.member = member;
            this.raft = raft;
        }

        @Override
        public boolean open(GroupAssignment assignment) {
            String group = assignment.group();
            host = member.host;
            if (logs.containsKey(group)) {
                return true;
            }
            boolean lost =
                    raft.stored().contains(group) && !disks.get(member.name).isDirectory(Path.of("/groups/" + group));
            if (lost) {
                raft.remove(group);
            }
            StoreDirectory stores =
                    StoreDirectory.open(disks.get(member.name), Path.of("/groups/" + group), SMALL, metrics);
            GroupSnapshots snapshots = new GroupSnapshots(stores.transfer());
            RaftGroup log =
                    raft.open(group, nodes.loop(member.name), lost ? List.of() : assignment.initialVoters(), snapshots);
            Set<Checkpointed> parts = new LinkedHashSet<>();
            Engine engine = host.open(group, log, stores, new Parts() {
                @Override
                public void add(Checkpointed part) {
                    parts.add(part);
                }

                @Override
                public void remove(Checkpointed part) {
                    parts.remove(part);
                }
            });
            snapshots.of(engine);
            logs.put(group, log);
            checkpoints.put(group, () -> checkpoint(log, stores, parts));
            engine.start();
            return !lost;
        }

        private static void checkpoint(RaftGroup log, StoreDirectory stores, Set<Checkpointed> parts) {
            log.beginCheckpoint(index -> {
                try {
                    log.force();
                    for (Checkpointed part : List.copyOf(parts)) {
                        if (part.dirty()) {
                            part.begin(log.appliedIndex()).write();
                        }
                    }
                    stores.syncDirectories();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                log.checkpointed(index);
            });
        }

        @Override
        public void remove(String group) {
            checkpoints.remove(group);
            if (logs.remove(group) != null) {
                host.close(group);
                raft.remove(group);
            }
        }

        @Override
        public RaftGroup log(String group) {
            return logs.get(group);
        }

        @Override
        public List<String> groups() {
            return List.copyOf(logs.keySet());
        }
    }

    final TestingCluster nodes;
    final TestingRouter router = new TestingRouter();
    final TestingRouter system = new TestingRouter();
    final InternalClient client = router.client("outside");
    final StorageMetrics metrics = new StorageMetrics();
    final Map<String, TestingDisk> disks = new TreeMap<>();
    final Map<String, Member> members = new TreeMap<>();
    final Map<String, List<String>> tags = new TreeMap<>();
    private final String uniqueTag;
    private final int founders;
    private int inboxes;

    /** Nodes of which the first {@code founders} start; node {@code nK} lies in zone {@code az:K}. */
    TestingMembers(long seed, int founders, int all, String uniqueTag) {
        this.founders = founders;
        this.uniqueTag = uniqueTag;
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= all; i++) {
            names.add("n" + i);
        }
        nodes = new TestingCluster(seed, names.toArray(String[]::new));
        for (int i = 0; i < all; i++) {
            String name = names.get(i);
            disks.put(name, new TestingDisk());
            tags.put(name, List.of("az:" + (char) ('a' + i % 3), "node:" + name));
            if (i < founders) {
                begin(name);
            } else {
                nodes.crash(name);
            }
        }
    }

    private void begin(String name) {
        members.put(name, new Member(name));
    }

    // --- faults ---------------------------------------------------------------------------------------------------

    void crash(String name, boolean power) {
        nodes.crash(name);
        bury(name, power);
    }

    /** Follows up on a node that died. */
    void bury(String name, boolean power) {
        if (members.remove(name) != null) {
            router.drop(name);
            system.drop(name);
            TestingDisk disk = disks.get(name);
            disks.put(name, power ? disk.powerLoss(nodes.random()) : disk.processDeath());
        }
    }

    /** Everything a node that is down had is gone. */
    void wipe(String name) {
        nodes.wipe(name);
        disks.put(name, new TestingDisk());
    }

    void restart(String name) {
        nodes.restart(name);
        begin(name);
    }

    /** Makes a group's streams durable on a node and lets its log go. */
    void checkpoint(String name, String group) {
        Member member = members.get(name);
        nodes.loop(name).execute(member.hosted.checkpoints.get(group));
        nodes.run(SECOND);
    }

    void isolate(String name) {
        nodes.isolate(name);
        router.isolate(name);
        system.isolate(name);
    }

    void heal() {
        nodes.heal();
        router.heal();
        system.heal();
    }

    // --- state ----------------------------------------------------------------------------------------------------

    Member metaLeader() {
        String name = nodes.leader("_meta_");
        Member member = name == null ? null : members.get(name);
        return member != null && member.cluster.reports().leadsMeta() ? member : null;
    }

    /** Waits until the metadata is led and there are this many groups with leaders. */
    void awaitGroups(int groups) {
        nodes.runUntil(() -> metaLeader() != null && led().size() >= groups, 120 * SECOND);
    }

    /** The groups led by anybody. */
    Set<String> led() {
        Set<String> led = new TreeSet<>();
        members.values()
                .forEach(m -> m.host.engines().stream().filter(Engine::leading).forEach(e -> led.add(e.group())));
        return led;
    }

    // --- clients --------------------------------------------------------------------------------------------------

    Message request(TestingRouter of, long nanos, String subject, String payload, String... headers) {
        String inbox = "_INBOX." + ++inboxes;
        List<Message> answers = new ArrayList<>();
        InternalClient asking = of.client("outside");
        var subscription = asking.subscribe(inbox, m -> answers.add(Message.of(m)));
        asking.publish(subject, inbox, TestingNode.headers(headers), payload.getBytes(StandardCharsets.UTF_8));
        long end = nodes.now() + nanos;
        while (answers.isEmpty() && nodes.now() < end) {
            nodes.run(SECOND / 1000);
        }
        subscription.close();
        return answers.isEmpty() ? null : answers.getFirst();
    }

    /** An answer of the API, or null when none comes within 5 s. */
    JsonNode api(String subject, String body) {
        return TestingNode.json(request(router, 5 * SECOND, "$JS.API." + subject, body));
    }

    JsonNode system(String subject, String body) {
        return TestingNode.json(request(system, 5 * SECOND, "$JS.API." + subject, body));
    }

    JsonNode create(String name, int replicas, String more) {
        return api(
                "STREAM.CREATE." + name,
                "{\"name\":\"" + name + "\",\"subjects\":[\"" + name + ".>\"],\"num_replicas\":" + replicas
                        + (more.isEmpty() ? "" : "," + more) + "}");
    }

    /** Publishes once; null when there is no acknowledgement. */
    JsonNode publish(String subject, String payload, String id) {
        Message ack = request(router, SECOND, subject, payload, "Nats-Msg-Id", id);
        return ack == null || ack.payload().isEmpty() ? null : TestingNode.json(ack);
    }
}
