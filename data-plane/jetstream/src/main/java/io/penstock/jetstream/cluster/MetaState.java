package io.penstock.jetstream.cluster;

import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Nodes, groups and streams of a cluster, built from the metadata's log alone: the same records give the same state.
 * Owned by the loop.
 */
final class MetaState {
    private static final int FORMAT = 1;

    /** Hears of each change, after it. */
    interface Listener {
        void node(NodeEntry before, NodeEntry node);

        void group(GroupEntry before, GroupEntry group);

        void stream(StreamAssignment stream);

        void removed(String account, String stream, long generation);
    }

    private static final byte[] NONE = {};

    /**
     * A stream.
     *
     * @param config its configuration as the log has it
     * @param next the one it has once it is where it is going; empty when it stays
     */
    private record Row(StreamAssignment assignment, byte[] config, byte[] next) {}

    private long origin;
    private final TreeMap<String, NodeEntry> nodes = new TreeMap<>();
    private final TreeMap<String, GroupEntry> groups = new TreeMap<>();
    private final TreeMap<String, TreeMap<String, Row>> streams = new TreeMap<>();

    /** The same streams by group, and by the group they are on their way to, and generation. */
    private final TreeMap<String, TreeMap<Long, StreamAssignment>> byGroup = new TreeMap<>();

    /** The subjects of the same streams, by account. */
    private final TreeMap<String, SubjectTree> subjects = new TreeMap<>();

    // --- applying -------------------------------------------------------------------------------------------------

    /**
     * Applies a record.
     *
     * @param index of its entry
     * @param now time of the entry, nanoseconds since the epoch
     * @param live whether who asked still waits for an answer
     * @return false when the record does not fit what is there, and changes nothing
     */
    boolean apply(long index, long now, MetaRecord record, boolean live, Listener listener) {
        return switch (record) {
            case MetaRecord.Founded r -> found(r);
            case MetaRecord.NodeJoined r -> join(index, r, listener);
            case MetaRecord.NodeChanged r -> change(r, listener);
            case MetaRecord.GroupSet r -> set(index, r, listener);
            case MetaRecord.Cleared r -> clear(r, listener);
            case MetaRecord.Forgot r ->
                groups.containsKey(r.group()) && forgot(groups.get(r.group()), r.node(), listener);
            case MetaRecord.StreamSet r -> set(index, now, r, live, listener);
            case MetaRecord.StreamMoving r -> moving(index, r, listener);
            case MetaRecord.StreamMoved r -> moved(index, r, listener);
            case MetaRecord.StreamDeleted r -> delete(r, listener);
        };
    }

    private boolean found(MetaRecord.Founded r) {
        if (origin == 0) {
            origin = r.origin();
            return true;
        }
        return false;
    }

    private boolean join(long index, MetaRecord.NodeJoined r, Listener listener) {
        NodeEntry before = nodes.get(r.name());
        boolean same = before != null && before.incarnation().equals(r.incarnation());
        if (same && before.state() == NodeEntry.State.REMOVED) {
            return false;
        }
        NodeEntry node = new NodeEntry(
                r.name(),
                r.incarnation(),
                r.tags(),
                same ? before.state() : NodeEntry.State.MEMBER,
                same ? before.joined() : index);
        nodes.put(r.name(), node);
        if (before != null && !same) {
            forgetful(r.name(), listener);
        }
        listener.node(before, node);
        return true;
    }

    /** The node lost its disk: every group that counts on it must take it up anew. */
    private void forgetful(String node, Listener listener) {
        for (GroupEntry group : new ArrayList<>(groups.values())) {
            forgot(group, node, listener);
        }
    }

    private boolean forgot(GroupEntry group, String node, Listener listener) {
        if (!group.target().contains(node) || group.rejoining().contains(node)) {
            return false;
        }
        List<String> rejoining = new ArrayList<>(group.rejoining());
        rejoining.add(node);
        put(group, group.rejoining(rejoining), listener);
        return true;
    }

    private boolean change(MetaRecord.NodeChanged r, Listener listener) {
        NodeEntry before = nodes.get(r.name());
        if (before == null || before.state() == r.state()) {
            return false;
        }
        NodeEntry node = before.with(r.state());
        nodes.put(r.name(), node);
        listener.node(before, node);
        return true;
    }

    private boolean set(long index, MetaRecord.GroupSet r, Listener listener) {
        GroupEntry before = groups.get(r.name());
        GroupEntry after = before == null
                ? new GroupEntry(r.name(), r.replicas(), r.target(), r.target(), r.ranked(), List.of(), index)
                : before.target(r.target(), r.ranked());
        put(before, after, listener);
        return true;
    }

    private boolean clear(MetaRecord.Cleared r, Listener listener) {
        GroupEntry group = groups.get(r.group());
        if (group == null || !group.rejoining().contains(r.node())) {
            return false;
        }
        put(
                group,
                group.rejoining(group.rejoining().stream()
                        .filter(n -> !n.equals(r.node()))
                        .toList()),
                listener);
        return true;
    }

    private void put(GroupEntry before, GroupEntry after, Listener listener) {
        groups.put(after.name(), after);
        listener.group(before, after);
    }

    private boolean set(long index, long now, MetaRecord.StreamSet r, boolean live, Listener listener) {
        StreamAssignment before = stream(r.account(), r.stream());
        boolean fits = (before == null ? 0 : before.generation()) == r.expected();
        if (!fits || (before != null && !before.target().isEmpty())) {
            return false;
        }
        StreamConfig config = JetStreamJson.readOwn(r.config(), StreamConfig.class);
        StreamAssignment after = new StreamAssignment(
                r.account(),
                config,
                r.group(),
                before == null ? now : before.created(),
                before == null ? origin + index : before.generation(),
                origin + index,
                null);
        put(before, after, r.config(), NONE);
        listener.stream(live && r.request() != null ? asked(after, r.request()) : after);
        return true;
    }

    private static StreamAssignment asked(StreamAssignment a, StreamAssignment.Request request) {
        return new StreamAssignment(
                a.account(), a.config(), a.group(), a.created(), a.generation(), a.version(), request);
    }

    private boolean moving(long index, MetaRecord.StreamMoving r, Listener listener) {
        StreamAssignment before = stream(r.account(), r.stream());
        boolean fits = before != null
                && before.generation() == r.generation()
                && !before.target().equals(r.target())
                && !before.group().equals(r.target());
        if (!fits) {
            return false;
        }
        StreamAssignment after = placed(before, before.config(), before.group(), origin + index, r.target());
        put(before, after, row(before).config(), r.target().isEmpty() ? NONE : r.config());
        listener.stream(after);
        return true;
    }

    private boolean moved(long index, MetaRecord.StreamMoved r, Listener listener) {
        StreamAssignment before = stream(r.account(), r.stream());
        boolean fits = before != null
                && before.generation() == r.generation()
                && before.version() == r.version()
                && !before.target().isEmpty();
        if (!fits) {
            return false;
        }
        byte[] config = row(before).next();
        StreamConfig parsed = JetStreamJson.readOwn(config, StreamConfig.class);
        StreamAssignment after = placed(before, parsed, before.target(), origin + index, "");
        put(before, after, config, NONE);
        listener.stream(after);
        return true;
    }

    private static StreamAssignment placed(
            StreamAssignment a, StreamConfig config, String group, long version, String target) {
        return new StreamAssignment(a.account(), config, group, a.created(), a.generation(), version, null, target);
    }

    private Row row(StreamAssignment stream) {
        return streams.get(stream.account()).get(stream.stream());
    }

    private void put(StreamAssignment before, StreamAssignment after, byte[] config, byte[] next) {
        if (before != null) {
            unlist(before);
        }
        streams.computeIfAbsent(after.account(), a -> new TreeMap<>())
                .put(after.stream(), new Row(after, config, next));
        list(after.group(), after);
        if (!after.target().isEmpty()) {
            list(after.target(), after);
        }
    }

    private void list(String group, StreamAssignment stream) {
        SubjectTree tree = subjects.computeIfAbsent(stream.account(), a -> new SubjectTree());
        stream.config().subjects().forEach(subject -> tree.add(subject, stream.stream()));
        byGroup.computeIfAbsent(group, g -> new TreeMap<>()).put(stream.generation(), stream);
    }

    private void unlist(StreamAssignment stream) {
        SubjectTree tree = subjects.get(stream.account());
        stream.config().subjects().forEach(subject -> tree.remove(subject, stream.stream()));
        byGroup.get(stream.group()).remove(stream.generation());
        if (!stream.target().isEmpty()) {
            byGroup.get(stream.target()).remove(stream.generation());
        }
    }

    private boolean delete(MetaRecord.StreamDeleted r, Listener listener) {
        StreamAssignment before = stream(r.account(), r.stream());
        if (before == null || before.generation() != r.generation()) {
            return false;
        }
        TreeMap<String, Row> rows = streams.get(r.account());
        rows.remove(r.stream());
        unlist(before);
        if (rows.isEmpty()) {
            streams.remove(r.account());
            subjects.remove(r.account());
        }
        listener.removed(r.account(), r.stream(), r.generation());
        return true;
    }

    // --- looking --------------------------------------------------------------------------------------------------

    /** Lies below every generation of this cluster and above those of any before it; 0 until it is formed. */
    long origin() {
        return origin;
    }

    Map<String, NodeEntry> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    NodeEntry node(String name) {
        return nodes.get(name);
    }

    Map<String, GroupEntry> groups() {
        return Collections.unmodifiableMap(groups);
    }

    GroupEntry group(String name) {
        return groups.get(name);
    }

    /** The stream, or null. */
    StreamAssignment stream(String account, String stream) {
        TreeMap<String, Row> rows = streams.get(account);
        Row row = rows == null ? null : rows.get(stream);
        return row == null ? null : row.assignment();
    }

    /** The account's streams in the order of their names. */
    List<StreamAssignment> streams(String account) {
        TreeMap<String, Row> rows = streams.get(account);
        return rows == null
                ? List.of()
                : rows.values().stream().map(Row::assignment).toList();
    }

    /** Calls this with each of the account's streams. */
    void each(String account, Consumer<StreamAssignment> action) {
        TreeMap<String, Row> rows = streams.get(account);
        if (rows != null) {
            rows.values().forEach(row -> action.accept(row.assignment()));
        }
    }

    /** Whether a subject overlaps with one of the account's streams, but for {@code without}. */
    boolean overlaps(String account, String subject, String without) {
        SubjectTree tree = subjects.get(account);
        return tree != null && tree.overlaps(subject, without);
    }

    Collection<String> accounts() {
        return Collections.unmodifiableSet(streams.keySet());
    }

    Collection<StreamAssignment> inGroup(String group) {
        TreeMap<Long, StreamAssignment> all = byGroup.get(group);
        return all == null ? List.of() : Collections.unmodifiableCollection(all.values());
    }

    /** The nodes that have, or are to have, a replica of a group. */
    List<String> replicas(String group) {
        String solo = StreamGroups.soloNode(group);
        GroupEntry entry = groups.get(group);
        return solo != null ? List.of(solo) : entry == null ? List.of() : entry.target();
    }

    int streamsIn(String group) {
        TreeMap<Long, StreamAssignment> all = byGroup.get(group);
        return all == null ? 0 : all.size();
    }

    // --- snapshots ------------------------------------------------------------------------------------------------

    byte[] encode() {
        ByteWriter out = new ByteWriter(4096);
        out.u8(FORMAT).varint(origin).varint(nodes.size());
        for (NodeEntry node : nodes.values()) {
            MetaRecord.texts(out.text(node.name()).text(node.incarnation()), node.tags());
            out.text(node.state().name()).varint(node.joined());
        }
        out.varint(groups.size());
        for (GroupEntry group : groups.values()) {
            out.text(group.name()).varint(group.replicas()).varint(group.created());
            MetaRecord.texts(out, group.founders());
            MetaRecord.texts(out, group.target());
            MetaRecord.texts(out, group.ranked());
            MetaRecord.texts(out, group.rejoining());
        }
        for (TreeMap<String, Row> rows : streams.values()) {
            for (Row row : rows.values()) {
                StreamAssignment a = row.assignment();
                out.text(a.account()).block(row.config()).text(a.group());
                out.text(a.target()).block(row.next());
                out.varint(a.created()).varint(a.generation()).varint(a.version());
            }
        }
        return out.toBytes();
    }

    static MetaState decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int format = in.u8();
        if (format != FORMAT) {
            throw new IllegalStateException("metadata of unknown format " + format);
        }
        MetaState state = new MetaState();
        state.origin = in.varint();
        for (int i = in.length(); i > 0; i--) {
            NodeEntry node = new NodeEntry(
                    in.text(), in.text(), MetaRecord.texts(in), NodeEntry.State.valueOf(in.text()), in.varint());
            state.nodes.put(node.name(), node);
        }
        for (int i = in.length(); i > 0; i--) {
            String name = in.text();
            int replicas = (int) in.varint();
            long created = in.varint();
            state.groups.put(
                    name,
                    new GroupEntry(
                            name,
                            replicas,
                            MetaRecord.texts(in),
                            MetaRecord.texts(in),
                            MetaRecord.texts(in),
                            MetaRecord.texts(in),
                            created));
        }
        while (in.hasMore()) {
            String account = in.text();
            byte[] config = in.block();
            String group = in.text();
            String target = in.text();
            byte[] next = in.block();
            StreamConfig parsed = JetStreamJson.readOwn(config, StreamConfig.class);
            StreamAssignment stream =
                    new StreamAssignment(account, parsed, group, in.varint(), in.varint(), in.varint(), null, target);
            state.put(null, stream, config, next);
        }
        return state;
    }
}
