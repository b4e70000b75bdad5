package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.CheckResult;
import io.penstock.jetstream.state.RecordType;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the replicas of a group equal and whole. The leader has them compare what their streams come to at one entry of
 * the log; who differs from the majority, or has damaged files, fetches a copy of the stream. A leader in that position
 * lets another lead first. Owned by the loop.
 */
final class Repairs {
    private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);
    private static final long CHECK_PAUSE = 30_000_000_000L;
    private static final long ANSWER_PAUSE = 2_000_000_000L;
    private static final long RETRY_PAUSE = 2_000_000_000L;
    private static final int STREAMS_AT_ONCE = 256;

    /** A replica does not have the stream. */
    private static final long MISSING = -1;

    /** Results that are kept, for a leader that asks late. */
    private static final int RESULTS = 8;

    private final Engine engine;

    /** Streams that are to be fetched, with the reason. */
    private final LinkedHashMap<Long, String> wanted = new LinkedHashMap<>();

    private final TreeMap<Long, CheckResult> results = new TreeMap<>();
    private Copies copies;
    private GroupLoop.Timer timer;
    private GroupLoop.Timer retry;
    private boolean running;

    /** Whether a check is on its way into the log: two in one entry could not be told apart. */
    private boolean checking;

    private long next;

    Repairs(Engine engine) {
        this.engine = engine;
    }

    void use(Copies way) {
        copies = way;
    }

    Copies copies() {
        return copies;
    }

    // --- comparing ------------------------------------------------------------------------------------------------

    /** The role changed. */
    void roleChanged() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        if (engine.leading() && engine.replicated()) {
            if (wanted.isEmpty()) {
                timer = engine.loop().schedule(CHECK_PAUSE, this::check);
            } else {
                stepAside();
            }
        } else {
            go();
        }
    }

    /** Has the replicas compare some streams now. */
    void check() {
        timer = null;
        if (!engine.leading()) {
            return;
        }
        timer = engine.loop().schedule(CHECK_PAUSE, this::check);
        if (checking || engine.streams().all().isEmpty()) {
            return;
        }
        checking = true;
        byte[] body = new ByteWriter(24).varint(next).varint(STREAMS_AT_ONCE).toBytes();
        engine.propose(RecordType.CHECK, 0, body, new Waiter() {
            @Override
            public void applied(Object result) {
                checking = false;
                if (result instanceof CheckResult mine) {
                    next = mine.next();
                    engine.loop().schedule(ANSWER_PAUSE, () -> compare(mine));
                }
            }

            @Override
            public void unknown(Throwable cause) {
                checking = false;
            }
        });
    }

    void checked(CheckResult result) {
        results.put(result.index(), result);
        while (results.size() > RESULTS) {
            results.pollFirstEntry();
        }
    }

    /** What this replica came to at an entry; fails when it is not known here. */
    CompletionStage<byte[]> result(long index) {
        CheckResult result = results.get(index);
        if (result == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("no check at entry " + index));
        }
        ByteWriter out = new ByteWriter(16 * result.digests().size() + 8)
                .varint(result.digests().size());
        result.digests().forEach((id, digest) -> out.varint(id).varint(digest));
        return CompletableFuture.completedFuture(out.toBytes());
    }

    private void compare(CheckResult mine) {
        if (!engine.leading() || !(engine.log() instanceof RaftGroup group)) {
            return;
        }
        Map<String, Map<Long, Long>> answers = new HashMap<>();
        answers.put(engine.options().serverName(), mine.digests());
        List<String> others = group.replicas().stream()
                .filter(r -> !r.node().equals(engine.options().serverName()) && !r.offline())
                .map(Replica::node)
                .toList();
        int[] open = {others.size()};
        for (String node : others) {
            byte[] question = Exporter.question(Exporter.CHECKED, engine.group(), 0, mine.index());
            var _ = engine.host()
                    .ask(node, question)
                    .whenComplete((bytes, failure) -> engine.loop().execute(() -> {
                        if (failure == null) {
                            answers.put(node, decode(bytes));
                        }
                        if (--open[0] == 0) {
                            judge(answers, group.replicas().size());
                        }
                    }));
        }
    }

    private static Map<Long, Long> decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Map<Long, Long> digests = new HashMap<>();
        for (long left = in.varint(); left > 0; left--) {
            digests.put(in.varint(), in.varint());
        }
        return digests;
    }

    /** Finds who differs from the majority, stream by stream, and has it repaired. */
    private void judge(Map<String, Map<Long, Long>> answers, int replicas) {
        if (!engine.leading()) {
            return;
        }
        TreeSet<Long> ids = new TreeSet<>();
        answers.values().forEach(digests -> ids.addAll(digests.keySet()));
        for (long id : ids) {
            // One that was deleted meanwhile may be missing where the log is applied again after a restart.
            if (engine.streams().get(id) != null) {
                judge(id, answers, replicas);
            }
        }
    }

    private void judge(long id, Map<String, Map<Long, Long>> answers, int replicas) {
        Map<Long, Integer> votes = new HashMap<>();
        answers.values().forEach(digests -> votes.merge(digests.getOrDefault(id, MISSING), 1, Integer::sum));
        votes.remove(CheckResult.UNKNOWN);
        if (votes.size() < 2) {
            return;
        }
        long majority = votes.entrySet().stream()
                .filter(e -> e.getKey() != MISSING && e.getValue() * 2 > replicas)
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(MISSING);
        if (majority == MISSING) {
            LOG.error("group {}: replicas differ in stream {} and none has a majority", engine.group(), id);
            return;
        }
        answers.forEach((node, digests) -> {
            long digest = digests.getOrDefault(id, MISSING);
            if (digest != majority && digest != CheckResult.UNKNOWN) {
                engine.host().repairCounts().diverged.increment();
                order(node, id);
            }
        });
    }

    private void order(String node, long id) {
        LOG.error("group {}: the replica at {} differs in stream {}; it fetches a copy", engine.group(), node, id);
        if (node.equals(engine.options().serverName())) {
            want(id, "differs from the other replicas");
        } else {
            var _ = engine.host().ask(node, Exporter.question(Exporter.REPAIR, engine.group(), id, 0));
        }
    }

    // --- fetching -------------------------------------------------------------------------------------------------

    /** A stream is to be fetched from another replica. */
    void want(long id, String reason) {
        if (!engine.replicated() || wanted.putIfAbsent(id, reason) != null) {
            return;
        }
        LOG.error("group {}: stream {} needs a copy from another replica: {}", engine.group(), id, reason);
        if (engine.leading()) {
            stepAside();
        } else {
            go();
        }
    }

    private void stepAside() {
        if (engine.log() instanceof RaftGroup group) {
            LOG.warn("group {}: another replica is to lead while this one is mended", engine.group());
            var _ = group.transferLeadership("").whenComplete((done, failure) -> {
                if (failure != null) {
                    later();
                }
            });
        }
    }

    private void later() {
        if (retry == null) {
            retry = engine.loop().schedule(RETRY_PAUSE, () -> {
                retry = null;
                if (wanted.isEmpty()) {
                    return;
                }
                if (engine.leading()) {
                    stepAside();
                } else {
                    go();
                }
            });
        }
    }

    private void go() {
        if (running || wanted.isEmpty() || copies == null || engine.leading() || engine.isStopped()) {
            return;
        }
        if (engine.log().leader().isEmpty()) {
            later();
            return;
        }
        long id = wanted.keySet().iterator().next();
        running = true;
        engine.streams().beginRepair(id);
        copies.fetch(id, engine.log().appliedIndex(), (name, failure) -> arrived(id, name, failure));
    }

    private void arrived(long id, String name, Exception failure) {
        running = false;
        if (engine.isStopped() || !wanted.containsKey(id)) {
            return;
        }
        if (failure instanceof NoSuchFileException) {
            LOG.info("group {}: stream {} is gone at the leader, no copy is needed", engine.group(), id);
            engine.streams().giveUpRepair(id);
            wanted.remove(id);
            go();
            return;
        }
        if (failure != null || engine.streams().overflown(id)) {
            LOG.warn(
                    "group {}: no copy of stream {} yet: {}",
                    engine.group(),
                    id,
                    failure == null ? "too much came meanwhile" : failure.toString());
            // Another stream first, if there is one.
            wanted.put(id, wanted.remove(id));
            later();
            return;
        }
        try {
            engine.streams().closeForRepair(id);
            copies.install(name);
            if (!engine.streams().finishRepair(id)) {
                throw new IOException("the copy cannot be opened");
            }
            String reason = wanted.remove(id);
            engine.host().repairCounts().repaired.increment();
            LOG.info("group {}: stream {} is whole again; before: {}", engine.group(), id, reason);
        } catch (IOException | RuntimeException e) {
            LOG.error("group {}: the copy of stream {} cannot be put in place", engine.group(), id, e);
            later();
            return;
        }
        go();
    }

    /** The stream was deleted, or all were replaced: what was wanted is not any more. */
    void forget() {
        wanted.clear();
        results.clear();
    }

    boolean idle() {
        return wanted.isEmpty();
    }
}
