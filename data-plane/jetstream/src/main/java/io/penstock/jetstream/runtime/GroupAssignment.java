package io.penstock.jetstream.runtime;

import java.util.List;

/**
 * A placement group this node is to have a replica of.
 *
 * @param group its name
 * @param initialVoters the nodes it begins with, the same on each of them; empty on a node that is added later
 * @param ranked who should lead, best first
 */
public record GroupAssignment(String group, List<String> initialVoters, List<String> ranked) {}
