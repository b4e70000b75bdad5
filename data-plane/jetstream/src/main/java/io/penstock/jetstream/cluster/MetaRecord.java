package io.penstock.jetstream.cluster;

import io.penstock.broker.internal.MessageOrigin;
import io.penstock.jetstream.runtime.StreamAssignment.Request;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/** A record of the metadata's log: one change. */
sealed interface MetaRecord {
    /** The cluster is formed; once, before everything else. */
    record Founded(long origin) implements MetaRecord {}

    /** A node joins, again with another incarnation, or tells of new tags. */
    record NodeJoined(String name, String incarnation, List<String> tags) implements MetaRecord {}

    record NodeChanged(String name, NodeEntry.State state) implements MetaRecord {}

    /** A group is made, or gets another target. */
    record GroupSet(String name, int replicas, List<String> target, List<String> ranked) implements MetaRecord {}

    /** A group has let go of a node that lost its disk. */
    record Cleared(String group, String node) implements MetaRecord {}

    /** A node lost what it had of a group, and must be taken up anew. */
    record Forgot(String group, String node) implements MetaRecord {}

    /**
     * A stream is made or changed.
     *
     * @param expected generation it must have, 0 when it must not exist
     * @param config JSON
     * @param request who asked, or null
     */
    record StreamSet(String account, String stream, long expected, byte[] config, String group, Request request)
            implements MetaRecord {}

    /**
     * A stream goes on its way to another group, or stays after all.
     *
     * @param target the group, empty to stay
     * @param config JSON of the configuration it has once it is there
     */
    record StreamMoving(String account, String stream, long generation, String target, byte[] config)
            implements MetaRecord {}

    /**
     * A stream is whole in the group it was on its way to.
     *
     * @param version of the assignment that sent it there
     */
    record StreamMoved(String account, String stream, long generation, long version) implements MetaRecord {}

    record StreamDeleted(String account, String stream, long generation) implements MetaRecord {}

    /** Entry of the log: records one after the other. */
    static byte[] encode(List<MetaRecord> records) {
        ByteWriter out = new ByteWriter(512);
        records.forEach(record -> write(out, record));
        return out.toBytes();
    }

    static List<MetaRecord> decode(byte[] entry, int length) {
        ByteReader in = new ByteReader(entry, 0, length);
        List<MetaRecord> records = new ArrayList<>();
        while (in.hasMore()) {
            records.add(read(in));
        }
        return records;
    }

    private static void write(ByteWriter out, MetaRecord record) {
        switch (record) {
            case Founded r -> out.u8(1).varint(r.origin());
            case NodeJoined r -> texts(out.u8(2).text(r.name()).text(r.incarnation()), r.tags());
            case NodeChanged r -> out.u8(3).text(r.name()).text(r.state().name());
            case GroupSet r -> texts(texts(out.u8(4).text(r.name()).varint(r.replicas()), r.target()), r.ranked());
            case Cleared r -> out.u8(5).text(r.group()).text(r.node());
            case Forgot r -> out.u8(10).text(r.group()).text(r.node());
            case StreamSet r -> {
                out.u8(6).text(r.account()).text(r.stream()).varint(r.expected());
                out.block(r.config()).text(r.group());
                request(out, r.request());
            }
            case StreamMoving r ->
                out.u8(8)
                        .text(r.account())
                        .text(r.stream())
                        .varint(r.generation())
                        .text(r.target())
                        .block(r.config());
            case StreamMoved r ->
                out.u8(9)
                        .text(r.account())
                        .text(r.stream())
                        .varint(r.generation())
                        .varint(r.version());
            case StreamDeleted r -> out.u8(7).text(r.account()).text(r.stream()).varint(r.generation());
        }
    }

    private static MetaRecord read(ByteReader in) {
        int type = in.u8();
        return switch (type) {
            case 1 -> new Founded(in.varint());
            case 2 -> new NodeJoined(in.text(), in.text(), texts(in));
            case 3 -> new NodeChanged(in.text(), NodeEntry.State.valueOf(in.text()));
            case 4 -> new GroupSet(in.text(), (int) in.varint(), texts(in), texts(in));
            case 5 -> new Cleared(in.text(), in.text());
            case 6 -> new StreamSet(in.text(), in.text(), in.varint(), in.block(), in.text(), request(in));
            case 7 -> new StreamDeleted(in.text(), in.text(), in.varint());
            case 8 -> new StreamMoving(in.text(), in.text(), in.varint(), in.text(), in.block());
            case 9 -> new StreamMoved(in.text(), in.text(), in.varint(), in.varint());
            case 10 -> new Forgot(in.text(), in.text());
            default ->
                throw new IllegalStateException("metadata record of unknown type " + type
                        + ": it was written by a newer version; run the newest version on all nodes");
        };
    }

    static ByteWriter texts(ByteWriter out, List<String> texts) {
        out.varint(texts.size());
        texts.forEach(out::text);
        return out;
    }

    static List<String> texts(ByteReader in) {
        int count = in.length();
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(in.text());
        }
        return texts;
    }

    private static void request(ByteWriter out, Request request) {
        if (request == null) {
            out.u8(0);
            return;
        }
        out.u8(1).bool(request.create()).latin(request.subject());
        out.latin(request.reply() == null ? "" : request.reply()).block(request.body());
        MessageOrigin o = request.origin();
        out.bool(o != null);
        if (o != null) {
            out.text(nn(o.kind()))
                    .varint(o.connectionId())
                    .text(nn(o.account()))
                    .text(nn(o.serviceAccount()));
            out.text(nn(o.user())).text(nn(o.name())).text(nn(o.language())).text(nn(o.version()));
            out.text(nn(o.host())).text(nn(o.jwt())).text(nn(o.issuerKey())).text(nn(o.nameTag()));
            out.varint(o.startNanos()).varint(o.roundTripNanos());
        }
    }

    private static String nn(String text) {
        return text == null ? "" : text;
    }

    private static Request request(ByteReader in) {
        if (in.u8() == 0) {
            return null;
        }
        boolean create = in.bool();
        String subject = in.latin();
        String reply = in.latin();
        byte[] body = in.block();
        MessageOrigin origin = null;
        if (in.bool()) {
            origin = new MessageOrigin(
                    in.text(),
                    in.varint(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.text(),
                    in.varint(),
                    in.varint());
        }
        return new Request(create, subject, reply.isEmpty() ? null : reply, body, origin);
    }
}
