package io.penstock.consensus;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** The members at some index of a {@link TestingReplica}; {@code old} holds the voters of before while they change. */
record TestingMembership(Set<String> voters, Set<String> learners, Set<String> old) {
    static TestingMembership of(Collection<String> voters) {
        return new TestingMembership(new TreeSet<>(voters), Set.of(), Set.of());
    }

    Set<String> all() {
        Set<String> all = new TreeSet<>(voters);
        all.addAll(learners);
        all.addAll(old);
        return all;
    }

    boolean majority(Collection<String> there) {
        return majority(voters, there) && (old.isEmpty() || majority(old, there));
    }

    private static boolean majority(Set<String> voters, Collection<String> there) {
        return voters.stream().filter(there::contains).count() * 2 > voters.size();
    }
}
