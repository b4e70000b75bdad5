package io.penstock.consensus;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Nodes with one group on some engine, for tests that hold for any. */
interface LogRig extends AutoCloseable {
    List<String> nodes();

    /** Those and whoever was taken in beside them. */
    default List<String> everybody() {
        return nodes();
    }

    /** The group's log on a node that is up. */
    ReplicatedLog log(String node);

    TestingMachine machine(String node);

    /** Runs it on the node's loop; returns when it has run. */
    void on(String node, Runnable task);

    /** Waits until it holds. */
    void until(String what, BooleanSupplier condition);

    /** The process of the node dies. */
    void kill(String node);

    /** All processes die and lose power at the same moment. */
    void powerLoss();

    /** Starts a node that was killed. */
    void revive(String node);

    @Override
    void close();

    /** The node that leads, once it does. */
    default String leader() {
        String[] found = {null};
        until("a leader", () -> {
            found[0] = leaderNow();
            return found[0] != null;
        });
        return found[0];
    }

    /** The node that leads by the newest term, null when none does. */
    default String leaderNow() {
        String found = null;
        for (String node : everybody()) {
            ReplicatedLog log = log(node);
            if (log != null
                    && log.role() == ReplicatedLog.Role.LEADER
                    && (found == null || log.term() > log(found).term())) {
                found = node;
            }
        }
        return found;
    }

    /** The node that leads with a lease, once there is one. */
    default String leaderWithLease() {
        String[] found = {null};
        until("a leader with a lease", () -> {
            found[0] = leaderNow();
            return found[0] != null && log(found[0]).holdsLease();
        });
        return found[0];
    }

    default void propose(String node, long number) {
        on(node, () -> log(node).propose(number, TestingMachine.entry(number), Long.BYTES, number));
    }

    /**
     * The numbers of {@link #commit} that were proposed again because nobody knew what had become of them, as when the
     * leader changes in the middle: they may stand in the log twice.
     */
    Set<Long> repeated();

    /** The numbers in a node's state, those of {@link #repeated} once. */
    default List<Long> numbers(String node) {
        Set<Long> seen = new HashSet<>();
        return machine(node).numbers().stream()
                .filter(number -> seen.add(number) || !repeated().contains(number))
                .toList();
    }

    /** Proposes until it is acknowledged, with another leader where need be. */
    default void commit(long number) {
        until("number " + number + " to be acknowledged", new BooleanSupplier() {
            private String asked;
            private TestingMachine machine;

            @Override
            public boolean getAsBoolean() {
                if (machine != null && machine.acknowledged.contains(number)) {
                    return true;
                }
                boolean lost = machine == null
                        || log(asked) == null
                        || machine.unknown.contains(number)
                        || machine.notProposed.contains(number);
                String leads = leaderNow();
                if (lost && leads != null) {
                    if (machine != null && !machine.notProposed.contains(number)) {
                        repeated().add(number);
                    }
                    asked = leads;
                    machine = machine(leads);
                    machine.notProposed.remove((Object) number);
                    machine.unknown.remove((Object) number);
                    propose(leads, number);
                }
                return false;
            }
        });
    }

    default List<String> up() {
        return nodes().stream().filter(node -> log(node) != null).toList();
    }

    default void untilAllHave(long number) {
        until(
                "all to have " + number,
                () -> up().stream().allMatch(node -> machine(node).numbers().contains(number)));
    }
}
