package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.consensus.ReplicatedLog.Role;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be done without anybody asking: as the metadata's leader, members and groups are kept in order; as leader of
 * a group, its replicas; as a node that is not wanted in a group any more, its leaving. Owned by the loop.
 */
final class Duties {
    private static final Logger LOG = LoggerFactory.getLogger(Duties.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** A node whose name comes with another incarnation was heard so lately that both may be alive. */
    private static final long ALIVE_NANOS = 5_000_000_000L;

    private final ClusterSettings settings;
    private final MetaMachine machine;
    private final Formation formation;
    private final Peers peers;
    private final StatusBoard board;
    private final Standing standing;
    private final StreamGroups placing;
    private final GroupHosting groups;
    private final GroupLoop loop;

    /** Groups, the metadata's too, whose replicas are being changed. */
    private final Set<String> changing = new HashSet<>();

    /** Groups of which this node lost what it had, until the metadata says so; whether its leader was told. */
    private final Map<String, Boolean> forgotten = new TreeMap<>();

    /** Names that are joining. */
    private final Set<String> joining = new HashSet<>();

    /** Whether the metadata's leader is still to hear that this process has started. */
    private boolean returning = true;

    private boolean proposing;
    private boolean transferring;
    private int offers;

    Duties(
            ClusterSettings settings,
            MetaMachine machine,
            Formation formation,
            Peers peers,
            StatusBoard board,
            Standing standing,
            StreamGroups placing,
            GroupHosting groups,
            GroupLoop loop) {
        this.settings = settings;
        this.machine = machine;
        this.formation = formation;
        this.peers = peers;
        this.board = board;
        this.standing = standing;
        this.placing = placing;
        this.groups = groups;
        this.loop = loop;
        answerPeers();
    }

    private void answerPeers() {
        peers.on("join", (peer, question) -> {
            join(peer, question);
            return null;
        });
        peers.on("removed", (peer, question) -> {
            removed(question.path("incarnation").asText());
            return null;
        });
        peers.on("back", this::back);
        peers.on("forgot", (peer, question) -> {
            forgot(question.path("group").asText(), peer);
            return null;
        });
        peers.on("cleared", (peer, question) -> {
            cleared(question.path("group").asText(), question.path("node").asText());
            return null;
        });
        peers.on("moved", (peer, question) -> {
            if (machine.leading()) {
                moved(
                        question.path("account").asText(),
                        question.path("stream").asText(),
                        question.path("generation").asLong(),
                        question.path("version").asLong());
            }
            return null;
        });
        peers.on("member?", this::member);
        peers.on("transfer", (peer, question) -> {
            transfer(question.path("group").asText(), question.path("node").asText());
            return null;
        });
    }

    /** Does what is next. */
    void step() {
        if (machine.leading()) {
            lead();
        }
        for (String name : groups.groups()) {
            GroupEntry entry = machine.state().group(name);
            RaftGroup log = groups.log(name);
            if (standing.isRemoved()) {
                handOver(log);
            } else if (entry != null && log.role() == Role.LEADER) {
                reconcile(log, entry.target(), List.of(), entry.rejoining());
            }
        }
    }

    /** Who was removed hears no more of who should be in a group: another must lead it, and let this node go. */
    private void handOver(RaftGroup log) {
        List<Replica> able = log.replicas().stream()
                .filter(r -> r.voter() && !r.leader() && r.current() && !r.offline())
                .toList();
        if (log.role() == Role.LEADER && !able.isEmpty() && !changing.contains(log.name())) {
            // One that lost its disk may not lead yet: then the next is asked.
            String next = able.get(offers++ % able.size()).node();
            change(log.name(), "is handed over to " + next + ", this node was removed", log.transferLeadership(next));
        }
    }

    // --- the metadata's leader ------------------------------------------------------------------------------------

    private void lead() {
        MetaState state = machine.state();
        if (state.origin() == 0) {
            propose(new MetaRecord.Founded(formation.founding().origin()));
            return;
        }
        List<Replica> replicas = machine.log().replicas();
        List<String> voters = MetaVoters.of(state, members(), replicas, settings.uniqueTag());
        List<String> learners =
                members().stream().filter(n -> !voters.contains(n)).toList();
        reconcile(machine.log(), voters, learners, List.of());
        if (!proposing) {
            keepGroups();
        }
        if (!proposing) {
            keepSoloStreams();
        }
        balance();
    }

    private List<String> members() {
        return machine.state().nodes().values().stream()
                .filter(n -> n.state() != NodeEntry.State.REMOVED)
                .map(NodeEntry::name)
                .toList();
    }

    private void keepGroups() {
        MetaState state = machine.state();
        MetaRecord.GroupSet missing = placing.missingDefault();
        if (missing != null) {
            LOG.info("new group {} with {}", missing.name(), missing.target());
            propose(missing);
            return;
        }
        for (GroupEntry group : state.groups().values()) {
            String leaving = group.target().stream()
                    .filter(n -> state.node(n) == null || state.node(n).state() != NodeEntry.State.MEMBER)
                    .findFirst()
                    .orElse("");
            if (leaving.isEmpty() && group.target().size() >= group.replicas()) {
                continue;
            }
            MetaRecord.GroupSet next = placing.retarget(group, leaving);
            // A draining node stays until another can take its place.
            boolean gone = !leaving.isEmpty()
                    && (state.node(leaving) == null || state.node(leaving).state() == NodeEntry.State.REMOVED);
            if (!next.target().equals(group.target())
                    && !next.target().isEmpty()
                    && (gone || next.target().size() >= group.target().size())) {
                LOG.info("group {} goes from {} to {}", group.name(), group.target(), next.target());
                propose(next);
                return;
            }
        }
    }

    /** Sends the streams that only a draining node has elsewhere, one after the other. */
    private void keepSoloStreams() {
        MetaState state = machine.state();
        for (NodeEntry node : state.nodes().values()) {
            if (node.state() != NodeEntry.State.DRAINING) {
                continue;
            }
            StreamAssignment stream = state.inGroup(StreamGroups.solo(node.name())).stream()
                    .filter(s -> s.target().isEmpty())
                    .findFirst()
                    .orElse(null);
            if (stream != null) {
                try {
                    propose(StreamApi.moving(stream, stream.config(), placing.find(stream.config(), node.name())));
                } catch (JsException e) {
                    LOG.debug("stream {} stays on {}: {}", stream.stream(), node.name(), e.getMessage());
                }
                return;
            }
        }
    }

    /** A stream has arrived in the group it was on its way to. */
    void moved(String account, String stream, long generation, long version) {
        if (machine.leading()) {
            machine.propose(List.of(new MetaRecord.StreamMoved(account, stream, generation, version)), accepted -> {});
        } else if (!machine.leader().isEmpty()) {
            ObjectNode message = Peers.question("moved").put("account", account).put("stream", stream);
            peers.tell(machine.leader(), message.put("generation", generation).put("version", version));
        }
    }

    private void propose(MetaRecord record) {
        propose(List.of(record));
    }

    private void propose(List<MetaRecord> records) {
        if (proposing) {
            return;
        }
        proposing = true;
        machine.propose(records, new MetaMachine.Outcome() {
            @Override
            public void applied(boolean accepted) {
                proposing = false;
            }

            @Override
            public void failed(Throwable cause) {
                proposing = false;
            }
        });
    }

    private List<LeaderBalancer.Group> led() {
        List<LeaderBalancer.Group> seen = new ArrayList<>();
        for (String member : members()) {
            NodeStatus status = board.of(member);
            if (status == null) {
                continue;
            }
            for (NodeStatus.Led led : status.led()) {
                GroupEntry entry = machine.state().group(led.group());
                if (entry != null) {
                    seen.add(new LeaderBalancer.Group(
                            led.group(), entry.ranked(), member, led.ledNanos(), led.current(), led.whole()));
                }
            }
        }
        return seen;
    }

    private void balance() {
        if (transferring) {
            return;
        }
        LeaderBalancer.Transfer next = LeaderBalancer.next(led(), settings.balanceNanos());
        if (next == null) {
            return;
        }
        LOG.info("group {}: {} is to lead instead of {}", next.group(), next.to(), next.from());
        if (next.from().equals(settings.name())) {
            transfer(next.group(), next.to());
            return;
        }
        transferring = true;
        ObjectNode question =
                Peers.question("transfer").put("group", next.group()).put("node", next.to());
        peers.ask(
                next.from(),
                question,
                PATIENCE,
                answer -> loop.schedule(PATIENCE.toNanos(), () -> transferring = false));
    }

    private void transfer(String group, String node) {
        RaftGroup log = groups.log(group);
        if (log != null && log.role() == Role.LEADER) {
            transferring = true;
            var _ = log.transferLeadership(node).whenComplete((done, failure) -> {
                transferring = false;
                if (failure != null) {
                    LOG.info("group {}: {} does not take over: {}", group, node, failure.getMessage());
                }
            });
        }
    }

    // --- joining --------------------------------------------------------------------------------------------------

    /** Makes this node known, when the metadata does not know it as it is. */
    void introduce(String incarnation) {
        NodeEntry known = machine.state().node(settings.name());
        boolean same = known != null && known.incarnation().equals(incarnation);
        ObjectNode question = Peers.question("join").put("incarnation", incarnation);
        settings.tags().forEach(question.putArray("tags")::add);
        if (same && machine.leader().isEmpty()) {
            // Left out while it was away, it may have missed the word.
            String leader = standing.settled() ? standing.leaderElsewhere() : null;
            if (leader != null && !standing.isRemoved()) {
                peers.tell(leader, question);
            }
            return;
        }
        if (same && (known.tags().equals(settings.tags()) || known.state() == NodeEntry.State.REMOVED)) {
            comeBack(incarnation);
            return;
        }
        if (machine.leading()) {
            join(settings.name(), question);
        } else if (machine.leader().isEmpty()) {
            peers.tellAll(question);
        } else {
            peers.tell(machine.leader(), question);
        }
    }

    /** Tells the leader that this process has started: what was asked of the one before it is over. */
    private void comeBack(String incarnation) {
        if (!returning) {
            return;
        }
        ObjectNode question = Peers.question("back").put("incarnation", incarnation);
        if (machine.leading()) {
            returning = !back(settings.name(), question).path("known").asBoolean();
        } else {
            peers.ask(machine.leader(), question, PATIENCE, answer -> {
                if (answer != null && answer.path("known").asBoolean()) {
                    returning = false;
                }
            });
        }
    }

    private ObjectNode back(String name, ObjectNode question) {
        NodeEntry known = machine.state().node(name);
        boolean same = machine.leading()
                && known != null
                && known.incarnation().equals(question.path("incarnation").asText());
        if (same && known.state() == NodeEntry.State.DRAINING) {
            LOG.info("{} has started anew: it is given replicas again", name);
            propose(new MetaRecord.NodeChanged(name, NodeEntry.State.MEMBER));
        }
        return JetStreamJson.object().put("known", same && known.state() != NodeEntry.State.DRAINING);
    }

    private void removed(String incarnation) {
        if (incarnation.equals(formation.incarnation())) {
            standing.removed();
        }
    }

    private void join(String name, ObjectNode question) {
        if (!machine.started() || !machine.leading() || machine.state().origin() == 0) {
            return;
        }
        String incarnation = question.path("incarnation").asText();
        List<String> tags = new ArrayList<>();
        question.path("tags").forEach(t -> tags.add(t.asText()));
        NodeEntry known = machine.state().node(name);
        boolean same = known != null && known.incarnation().equals(incarnation);
        if (same && known.state() == NodeEntry.State.REMOVED) {
            LOG.warn("{} was removed from the cluster and stays out: empty its store directory to bring it back", name);
            peers.tell(name, Peers.question("removed").put("incarnation", incarnation));
            return;
        }
        if (same && known.tags().equals(tags)) {
            return;
        }
        NodeStatus status = board.of(name);
        boolean twins = !same
                && known != null
                && status != null
                && status.incarnation().equals(known.incarnation())
                && board.silence(name) < ALIVE_NANOS;
        if (twins || !joining.add(name)) {
            return;
        }
        MetaRecord record = new MetaRecord.NodeJoined(name, incarnation, tags);
        boolean founder = incarnation.equals(formation.founding().voters().get(name));
        boolean replica =
                machine.log().replicas().stream().anyMatch(r -> r.node().equals(name));
        if (!same && !founder && replica && !name.equals(settings.name())) {
            LOG.info("{} comes back without what it had: it learns before it votes", name);
            var _ = machine.log().removeReplica(name).whenComplete((done, failure) -> {
                if (failure == null) {
                    join(record, name);
                } else {
                    joining.remove(name);
                }
            });
        } else {
            join(record, name);
        }
    }

    private void join(MetaRecord record, String name) {
        machine.propose(List.of(record), new MetaMachine.Outcome() {
            @Override
            public void applied(boolean accepted) {
                joining.remove(name);
            }

            @Override
            public void failed(Throwable cause) {
                joining.remove(name);
            }
        });
    }

    /** This node lost what it had of a group. */
    void forgot(String group) {
        forgotten.put(group, false);
    }

    /** The metadata says something of a group. */
    void noticed(GroupEntry group) {
        // Before it was told it can but speak of an earlier loss.
        if (group.rejoining().contains(settings.name())) {
            forgotten.remove(group.name(), true);
        }
    }

    /** Tells the metadata's leader what this node has lost. */
    void confess() {
        for (String group : List.copyOf(forgotten.keySet())) {
            if (!machine.leader().isEmpty()) {
                forgotten.put(group, true);
                if (machine.leading()) {
                    forgot(group, settings.name());
                } else {
                    peers.tell(machine.leader(), Peers.question("forgot").put("group", group));
                }
            }
        }
    }

    private void forgot(String group, String node) {
        GroupEntry entry = machine.state().group(group);
        if (machine.leading() && entry != null && !entry.rejoining().contains(node)) {
            LOG.info("{} has lost group {}: it learns before it votes", node, group);
            machine.propose(List.of(new MetaRecord.Forgot(group, node)), accepted -> {});
        }
    }

    private void cleared(String group, String node) {
        if (machine.leading()) {
            machine.propose(List.of(new MetaRecord.Cleared(group, node)), accepted -> {});
        }
    }

    // --- a group's leader -----------------------------------------------------------------------------------------

    private void reconcile(RaftGroup log, List<String> voters, List<String> learners, List<String> rejoining) {
        String group = log.name();
        if (changing.contains(group) || voters.isEmpty()) {
            return;
        }
        ReplicaReconciler.Step step =
                ReplicaReconciler.next(voters, learners, rejoining, log.replicas(), settings.name());
        switch (step) {
            case ReplicaReconciler.Step.None none -> {
                // As it should be.
            }
            case ReplicaReconciler.Step.Add add -> takeUp(log, add.node());
            case ReplicaReconciler.Step.Promote promote ->
                change(group, "lets " + promote.node() + " vote", log.promote(promote.node()));
            case ReplicaReconciler.Step.Remove remove ->
                change(group, "lets " + remove.node() + " go", log.removeReplica(remove.node()));
            case ReplicaReconciler.Step.HandOver handOver ->
                change(group, "is handed over to " + handOver.node(), log.transferLeadership(handOver.node()));
            case ReplicaReconciler.Step.Clear clear -> {
                if (machine.leading()) {
                    cleared(group, clear.node());
                } else if (!machine.leader().isEmpty()) {
                    peers.tell(
                            machine.leader(),
                            Peers.question("cleared").put("group", group).put("node", clear.node()));
                }
            }
        }
    }

    /** Taken up before it has opened the group, a node that lost its disk could not tell that from an earlier time. */
    private void takeUp(RaftGroup log, String node) {
        if (!peers.up(node) || !changing.add(log.name())) {
            return;
        }
        peers.ask(node, Peers.question("member?").put("group", log.name()), PATIENCE, answer -> {
            changing.remove(log.name());
            boolean open = answer != null && answer.path("open").asBoolean(true);
            if ((open || log == machine.log()) && log.role() == Role.LEADER) {
                change(log.name(), "takes up " + node, log.addLearner(node));
            }
        });
    }

    private void change(String group, String what, CompletionStage<Void> change) {
        changing.add(group);
        LOG.info("group {} {}", group, what);
        var _ = change.whenComplete((done, failure) -> {
            changing.remove(group);
            if (failure != null) {
                LOG.info("group {} {}: not this time: {}", group, what, failure.getMessage());
            }
        });
    }

    // --- leaving a group ------------------------------------------------------------------------------------------

    /** Leaves groups that do not want this node and have let it go. */
    void leave() {
        if (machine.leader().isEmpty()) {
            return;
        }
        for (String name : groups.groups()) {
            GroupEntry entry = machine.state().group(name);
            if (entry == null || entry.target().contains(settings.name())) {
                continue;
            }
            for (String node : entry.target()) {
                if (peers.up(node)) {
                    ask(name, node);
                }
            }
        }
    }

    private void ask(String group, String node) {
        peers.ask(node, Peers.question("member?").put("group", group), PATIENCE, answer -> {
            GroupEntry now = machine.state().group(group);
            if (answer != null
                    && !answer.path("member").asBoolean(true)
                    && now != null
                    && !now.target().contains(settings.name())
                    && groups.log(group) != null) {
                LOG.info("leaves group {}", group);
                groups.remove(group);
            }
        });
    }

    private ObjectNode member(String peer, ObjectNode question) {
        RaftGroup log = groups.log(question.path("group").asText());
        ObjectNode answer = JetStreamJson.object().put("open", log != null);
        if (log != null && log.role() == Role.LEADER) {
            answer.put("member", log.replicas().stream().anyMatch(r -> r.node().equals(peer)));
        }
        return answer;
    }
}
