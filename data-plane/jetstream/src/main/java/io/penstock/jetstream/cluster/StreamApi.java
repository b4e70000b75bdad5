package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.consensus.RaftGroup;
import io.penstock.jetstream.api.ClusterBodies;
import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.api.Responder;
import io.penstock.jetstream.api.StreamConfigRules;
import io.penstock.jetstream.api.Views;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StreamConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Requests of accounts in a cluster: those that concern the metadata are answered by its leader, those of a stream are
 * left to the stream's leader, and somebody tells when there is none. Owned by the loop.
 */
final class StreamApi {
    private static final String CANCEL_TYPE = "stream_cancel_move_response";
    private static final Duration GATHER = Duration.ofSeconds(2);

    /** Errors that another node may know better than to send wait so long. */
    static final long DELAY_NANOS = 500_000_000L;

    /** How soon a leader that may be deposed looks again. */
    private static final long UNSURE_NANOS = 50_000_000L;

    private final Host host;
    private final MetaMachine machine;
    private final GroupHosting groups;
    private final StatusBoard board;
    private final Standing standing;
    private final Peers peers;
    private final Nodes nodes;
    private final StreamGroups placing;

    /** Changes of an account's streams that wait for the one before them. */
    private final Map<String, ArrayDeque<Runnable>> waiting = new HashMap<>();

    StreamApi(
            Host host,
            MetaMachine machine,
            GroupHosting groups,
            StatusBoard board,
            Standing standing,
            Peers peers,
            Nodes nodes,
            StreamGroups placing) {
        this.host = host;
        this.machine = machine;
        this.groups = groups;
        this.board = board;
        this.standing = standing;
        this.peers = peers;
        this.nodes = nodes;
        this.placing = placing;
        peers.on("infos", (peer, question) -> infos(question));
    }

    boolean handle(ApiCall call, String[] tokens) throws InvalidJsonException {
        String area = tokens[2];
        String verb = tokens.length > 3 ? tokens[3] : "";
        return switch (area) {
            case "INFO" -> led(call, "account_info_response", () -> info(call));
            case "STREAM" -> stream(call, tokens, verb);
            case "CONSUMER" -> named(call, JsApi.responseType(tokens), token(tokens, deeper(verb) ? 5 : 4));
            // The system account's: to others it is as if there were no such requests.
            case "META", "SERVER", "ACCOUNT" -> true;
            default -> false;
        };
    }

    private static boolean deeper(String verb) {
        return verb.equals("DURABLE") || verb.equals("LEADER") || verb.equals("PEER");
    }

    private static String token(String[] tokens, int at) {
        return at < tokens.length ? Subjects.toUtf8(tokens[at]) : null;
    }

    private boolean stream(ApiCall call, String[] tokens, String verb) throws InvalidJsonException {
        String name = token(tokens, 4);
        return switch (verb) {
            case "CREATE" -> led(call, "stream_create_response", () -> create(call, name));
            case "UPDATE" -> led(call, "stream_update_response", () -> update(call, name));
            case "DELETE" -> led(call, "stream_delete_response", () -> delete(call, name));
            case "NAMES" -> led(call, "stream_names_response", () -> names(call));
            case "LIST" -> led(call, "stream_list_response", () -> list(call));
            // The metadata's leader brings it in, by what a node alone does.
            case "RESTORE" -> !machine.leading() && led(call, "stream_restore_response", () -> {});
            case "CANCEL_MOVE" -> led(call, CANCEL_TYPE, () -> cancelMove(call, name));
            case "PEER" -> {
                boolean known = "REMOVE".equals(name) || "EVACUATE".equals(name);
                String target = token(tokens, 5);
                String type = JsApi.responseType(tokens);
                yield !known || led(call, type, () -> removePeer(call, type, target));
            }
            case "LEADER" -> named(call, "stream_leader_stepdown_response", token(tokens, 5));
            case "MSG" -> {
                String type = "DELETE".equals(name) ? "stream_msg_delete_response" : "stream_msg_get_response";
                yield named(call, type, token(tokens, 5));
            }
            default -> named(call, "stream_" + verb.toLowerCase(Locale.ROOT) + "_response", name);
        };
    }

    // --- who answers ----------------------------------------------------------------------------------------------

    /** A request that the metadata's leader answers. */
    private interface Answer {
        void run() throws InvalidJsonException;
    }

    private boolean led(ApiCall call, String type, Answer answer) throws InvalidJsonException {
        if (machine.leading() && !machine.ledAt(call.heard())) {
            return true;
        } else if (machine.leading() && !machine.sure()) {
            // Another may lead already; it answers then.
            host.loop().schedule(UNSURE_NANOS, () -> ledNow(call, type, answer));
        } else if (machine.leading()) {
            try {
                answer.run();
            } catch (JsException e) {
                Responder.error(call, type, e.error());
            }
        } else {
            complainWithoutLeader(call, type);
        }
        return true;
    }

    private void ledNow(ApiCall call, String type, Answer answer) {
        if (call.account().client() == null) {
            return;
        }
        try {
            led(call, type, answer);
        } catch (InvalidJsonException e) {
            Responder.error(call, type, JsError.INVALID_JSON.of(e.getMessage()));
        }
        host.soon();
    }

    /** Nobody leads the metadata: every node says so, unless somebody turns up who does. */
    private boolean complainWithoutLeader(ApiCall call, String type) {
        if (standing.leaderless()) {
            later(call, type, JsError.CLUSTER_NOT_AVAIL.of(), standing::leaderless);
            return true;
        }
        return false;
    }

    /** A request that the stream's leader answers; true when it is not up to this node. */
    private boolean named(ApiCall call, String type, String name) {
        if (name == null) {
            return false;
        }
        if (call.account().stream(name) != null) {
            return false;
        }
        if (complainWithoutLeader(call, type)) {
            return true;
        }
        StreamAssignment stream = machine.state().stream(call.account().name(), name);
        if (stream == null) {
            if (machine.sure()) {
                Responder.error(call, type, JsError.STREAM_NOT_FOUND.of());
            } else if (machine.leading()) {
                later(
                        call,
                        type,
                        JsError.STREAM_NOT_FOUND.of(),
                        () -> machine.sure()
                                && machine.state().stream(call.account().name(), name) == null);
            }
            return true;
        }
        if (machine.leading() && offline(stream)) {
            later(call, type, JsError.STREAM_OFFLINE.of(), () -> offline(stream));
        } else if (groupLeaderless(stream)) {
            later(call, type, JsError.CLUSTER_NOT_AVAIL.of(), () -> groupLeaderless(stream));
        }
        return true;
    }

    /** Answers after a while, when it is still so: somebody may turn up who knows better. */
    private void later(ApiCall call, String type, ApiError error, BooleanSupplier still) {
        host.loop().schedule(DELAY_NANOS, () -> {
            if (still.getAsBoolean() && call.account().client() != null) {
                Responder.error(call, type, error);
                host.soon();
            }
        });
    }

    private boolean offline(StreamAssignment stream) {
        String solo = StreamGroups.soloNode(stream.group());
        if (solo != null) {
            return !nodes.online(solo);
        }
        GroupEntry group = machine.state().group(stream.group());
        return group != null && group.target().stream().noneMatch(nodes::online);
    }

    /** Whether this node has a replica of the stream and knows nobody who leads it. */
    private boolean groupLeaderless(StreamAssignment stream) {
        RaftGroup log = groups.log(stream.group());
        return log != null && log.leader().isEmpty() && standing.settled();
    }

    // --- changes --------------------------------------------------------------------------------------------------

    /** Runs a change when those before it, of the same account, are done. It must call {@link #done}. */
    private void change(ApiCall call, String type, Runnable body) {
        String account = call.account().name();
        serially(account, () -> {
            try {
                body.run();
            } catch (JsException e) {
                Responder.error(call, type, e.error());
                host.soon();
                done(account);
            }
        });
    }

    /** Runs a change when those before it, of the same account, are done. It must call {@link #done}. */
    void serially(String account, Runnable change) {
        ArrayDeque<Runnable> queue = waiting.get(account);
        if (queue == null) {
            waiting.put(account, new ArrayDeque<>());
            change.run();
        } else {
            queue.add(change);
        }
    }

    void done(String account) {
        ArrayDeque<Runnable> queue = waiting.get(account);
        Runnable next = queue.poll();
        if (next == null) {
            waiting.remove(account);
        } else {
            host.loop().execute(next);
        }
    }

    private void propose(ApiCall call, String type, List<MetaRecord> records, Runnable accepted) {
        String account = call.account().name();
        machine.propose(records, new MetaMachine.Outcome() {
            @Override
            public void applied(boolean fits) {
                if (fits) {
                    accepted.run();
                } else {
                    Responder.error(call, type, JsError.CLUSTER_NOT_AVAIL.of());
                }
                host.soon();
                done(account);
            }

            @Override
            public void failed(Throwable cause) {
                // Nobody knows whether it came about: no answer.
                done(account);
            }
        });
    }

    StreamConfigRules rules(AccountRuntime account, StreamConfig config, boolean pedantic) {
        return new StreamConfigRules(
                host.options(), Usages.limits(account, Math.max(1, config.numReplicas())), pedantic);
    }

    private static StreamAssignment.Request request(ApiCall call, boolean create) {
        return new StreamAssignment.Request(create, call.subject(), call.reply(), call.body(), call.origin());
    }

    private void create(ApiCall call, String name) throws InvalidJsonException {
        AccountRuntime account = call.account();
        ClusterBodies.StreamRequest asked =
                ClusterBodies.stream(call, name, host.options().strict());
        if (asked.config().sealed()) {
            throw JsError.STREAM_INVALID_CONFIG.raise("stream configuration for create can not be sealed");
        }
        StreamConfig config = rules(account, asked.config(), asked.pedantic()).check(asked.config());
        change(call, "stream_create_response", () -> {
            StreamAssignment existing = machine.state().stream(account.name(), name);
            List<MetaRecord> records = new ArrayList<>();
            String group;
            if (existing != null) {
                if (!existing.config().equals(config)) {
                    throw JsError.STREAM_NAME_EXIST.raise();
                }
                group = existing.group();
            } else {
                overlap(account.name(), config);
                new Usages(machine.state()).check(account, config, null);
                StreamGroups.Found found = placing.find(config);
                group = found.group();
                if (found.made() != null) {
                    records.add(found.made());
                }
            }
            records.add(new MetaRecord.StreamSet(
                    account.name(),
                    name,
                    existing == null ? 0 : existing.generation(),
                    JetStreamJson.write(config),
                    group,
                    request(call, true)));
            // The leader of the stream answers.
            propose(call, "stream_create_response", records, () -> {});
        });
    }

    /** Where a stream of this configuration comes to live out of a backup. */
    RestoreTarget restore(ApiCall call, StreamConfig asked) {
        return new RestoredInCluster(host, machine, placing, this, call.account(), asked);
    }

    /** Refuses a configuration whose subjects are another stream's. */
    void overlap(String account, StreamConfig config) {
        for (String subject : config.subjects()) {
            if (machine.state().overlaps(account, subject, config.name())) {
                throw JsError.STREAM_SUBJECT_OVERLAP.raise();
            }
        }
    }

    private StreamAssignment existing(String account, String name) {
        StreamAssignment existing = machine.state().stream(account, name);
        if (existing == null) {
            throw JsError.STREAM_NOT_FOUND.raise();
        }
        return existing;
    }

    private void update(ApiCall call, String name) throws InvalidJsonException {
        AccountRuntime account = call.account();
        ClusterBodies.StreamRequest asked =
                ClusterBodies.stream(call, name, host.options().strict());
        existing(account.name(), name);
        change(call, "stream_update_response", () -> {
            StreamAssignment existing = existing(account.name(), name);
            StreamConfig config =
                    rules(account, asked.config(), asked.pedantic()).checkUpdate(existing.config(), asked.config());
            overlap(account.name(), config);
            new Usages(machine.state()).check(account, config, existing.config());
            if (!existing.target().isEmpty()) {
                throw JsError.STREAM_MOVE_IN_PROGRESS.raise();
            }
            if (!placing.mayStay(existing.group(), config)) {
                boolean scales = config.numReplicas() != existing.config().numReplicas();
                if (scales
                        && !Objects.equals(config.placement(), existing.config().placement())) {
                    throw JsError.STREAM_MOVE_AND_SCALE.raise();
                }
                move(call, "stream_update_response", existing, config, placing.find(config));
                return;
            }
            MetaRecord record = new MetaRecord.StreamSet(
                    account.name(),
                    name,
                    existing.generation(),
                    JetStreamJson.write(config),
                    existing.group(),
                    request(call, false));
            propose(call, "stream_update_response", List.of(record), () -> {});
        });
    }

    private void delete(ApiCall call, String name) {
        ClusterBodies.expectEmpty(call);
        AccountRuntime account = call.account();
        change(call, "stream_delete_response", () -> {
            StreamAssignment existing = existing(account.name(), name);
            propose(
                    call,
                    "stream_delete_response",
                    List.of(new MetaRecord.StreamDeleted(account.name(), name, existing.generation())),
                    () -> {
                        Responder.success(call, "stream_delete_response");
                        account.advisories().stream("DELETED", name, "delete");
                    });
        });
    }

    /** Sends a stream to another group; the answer shows it as it will be. */
    private void move(
            ApiCall call, String type, StreamAssignment stream, StreamConfig config, StreamGroups.Found found) {
        propose(call, type, moving(stream, config, found), () -> {
            if (type.equals("stream_update_response")) {
                show(call, type, stream.stream(), config);
            } else {
                Responder.success(call, type);
            }
        });
    }

    static List<MetaRecord> moving(StreamAssignment stream, StreamConfig config, StreamGroups.Found found) {
        List<MetaRecord> records = new ArrayList<>();
        if (found.made() != null) {
            records.add(found.made());
        }
        records.add(new MetaRecord.StreamMoving(
                stream.account(), stream.stream(), stream.generation(), found.group(), JetStreamJson.write(config)));
        return records;
    }

    /** Answers with a stream that is led anywhere. */
    private void show(ApiCall call, String type, String name, StreamConfig config) {
        gather(call.account().name(), List.of(name), found -> {
            if (found.get(name) instanceof ObjectNode info) {
                info.set("config", JetStreamJson.tree(config));
                Responder.ok(call, type, info);
                host.soon();
            }
        });
    }

    private void removePeer(ApiCall call, String type, String name) throws InvalidJsonException {
        ClusterBodies.Peer asked = ClusterBodies.peer(call, host.options().strict());
        StreamAssignment stream = existing(call.account().name(), name);
        String peer = SystemApi.node(machine.state(), asked.peer(), asked.peerId());
        if (peer == null || !machine.state().replicas(stream.group()).contains(peer)) {
            throw JsError.CLUSTER_PEER_NOT_MEMBER.raise();
        }
        change(call, type, () -> {
            StreamAssignment now = existing(call.account().name(), name);
            if (!now.target().isEmpty()) {
                throw JsError.STREAM_MOVE_IN_PROGRESS.raise();
            }
            StreamGroups.Found found;
            try {
                found = placing.find(now.config(), peer);
            } catch (JsException e) {
                throw JsError.PEER_REMAP.raise();
            }
            move(call, type, now, now.config(), found);
        });
    }

    private void cancelMove(ApiCall call, String name) {
        change(call, CANCEL_TYPE, () -> {
            StreamAssignment stream = existing(call.account().name(), name);
            if (stream.target().isEmpty()) {
                throw JsError.STREAM_RECONFIGURE_NOT_IN_PROGRESS.raise();
            }
            move(call, CANCEL_TYPE, stream, stream.config(), new StreamGroups.Found("", null));
        });
    }

    // --- looking --------------------------------------------------------------------------------------------------

    private void info(ApiCall call) {
        AccountRuntime account = call.account();
        Map<Integer, NodeStatus.Usage> used = new TreeMap<>();
        add(used, board.own(), account.name());
        peers.askAll(
                Peers.question("status?"),
                Duration.ofMillis(500),
                (peer, answer) -> {
                    board.take(peer, (ObjectNode) answer);
                    add(used, board.of(peer), account.name());
                },
                () -> {
                    if (account.limits() != null) {
                        Responder.ok(call, "account_info_response", new Usages(machine.state()).show(account, used));
                        host.soon();
                    }
                });
    }

    private static void add(Map<Integer, NodeStatus.Usage> sum, NodeStatus status, String account) {
        status.usage()
                .getOrDefault(account, Map.of())
                .forEach((replicas, usage) -> sum.merge(replicas, usage, NodeStatus.Usage::plus));
    }

    private List<StreamAssignment> matching(ApiCall call, String subject) {
        List<StreamAssignment> all =
                new ArrayList<>(machine.state().streams(call.account().name()));
        if (subject != null && !subject.isEmpty()) {
            String wire = Subjects.fromUtf8(subject);
            all.removeIf(s ->
                    s.config().subjects().stream().noneMatch(own -> Subjects.overlap(Subjects.fromUtf8(own), wire)));
        }
        return all;
    }

    private static ObjectNode page(int total, int offset, int limit) {
        return JetStreamJson.object().put("total", total).put("offset", offset).put("limit", limit);
    }

    private void names(ApiCall call) throws InvalidJsonException {
        ClusterBodies.Paged asked = ClusterBodies.optional(
                call, ClusterBodies.Paged.class, host.options().strict());
        List<StreamAssignment> all = matching(call, asked.subject());
        int from = Math.clamp(asked.offset(), 0, all.size());
        ObjectNode fields = page(all.size(), from, Views.NAMES_PAGE);
        if (from > 0 && from == all.size()) {
            fields.putNull("streams");
        } else {
            ArrayNode names = fields.putArray("streams");
            all.subList(from, Math.min(all.size(), from + Views.NAMES_PAGE)).forEach(s -> names.add(s.stream()));
        }
        Responder.ok(call, "stream_names_response", fields);
    }

    private void list(ApiCall call) throws InvalidJsonException {
        ClusterBodies.Paged asked = ClusterBodies.optional(
                call, ClusterBodies.Paged.class, host.options().strict());
        List<StreamAssignment> all = matching(call, asked.subject());
        int from = Math.clamp(asked.offset(), 0, all.size());
        List<String> wanted = all.subList(from, Math.min(all.size(), from + Views.LIST_PAGE)).stream()
                .map(StreamAssignment::stream)
                .toList();
        gather(call.account().name(), wanted, found -> {
            ObjectNode fields = page(all.size(), from, Views.LIST_PAGE);
            ArrayNode list = fields.putArray("streams");
            List<String> missing = new ArrayList<>();
            for (String name : wanted) {
                JsonNode one = found.get(name);
                if (one == null) {
                    missing.add(name);
                } else {
                    list.add(one);
                }
            }
            if (!missing.isEmpty()) {
                missing.forEach(fields.putArray("missing")::add);
            }
            Responder.ok(call, "stream_list_response", fields);
            host.soon();
        });
    }

    /** Asks whoever leads them for streams. */
    void gather(String account, List<String> wanted, Consumer<Map<String, JsonNode>> answer) {
        Map<String, JsonNode> found = new TreeMap<>();
        collect(account, wanted, found);
        if (found.size() == wanted.size()) {
            answer.accept(found);
            return;
        }
        ObjectNode question = Peers.question("infos").put("account", account);
        ArrayNode names = question.putArray("streams");
        wanted.stream().filter(n -> !found.containsKey(n)).forEach(names::add);
        peers.askAll(
                question,
                GATHER,
                (peer, infos) -> infos.properties().forEach(e -> found.put(e.getKey(), e.getValue())),
                () -> answer.accept(found));
    }

    private void collect(String account, List<String> names, Map<String, JsonNode> found) {
        AccountRuntime runtime = host.account(account);
        for (String name : names) {
            StreamRuntime stream = runtime.stream(name);
            if (stream != null) {
                found.put(name, JetStreamJson.tree(Views.stream(stream, false, true, null, null)));
            }
        }
    }

    private ObjectNode infos(ObjectNode question) {
        List<String> names = new ArrayList<>();
        question.path("streams").forEach(n -> names.add(n.asText()));
        Map<String, JsonNode> found = new TreeMap<>();
        collect(question.path("account").asText(), names, found);
        ObjectNode answer = JetStreamJson.object();
        found.forEach(answer::set);
        return answer;
    }
}
