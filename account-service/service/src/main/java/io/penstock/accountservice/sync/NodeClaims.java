package io.penstock.accountservice.sync;

import java.util.List;

/** The claims of accounts on the nodes. */
public interface NodeClaims {
    /**
     * What the nodes said to a change.
     *
     * @param nodes nodes that should have answered
     * @param confirmed nodes that did what was asked
     * @param errors what the others said, or that they were silent
     */
    record Outcome(int nodes, int confirmed, List<String> errors) {
        /** Whether every node did what was asked. */
        public boolean complete() {
            return nodes > 0 && confirmed >= nodes && errors.isEmpty();
        }
    }

    /** Whether there is a connection to a node. */
    boolean isConnected();

    /** How many nodes are known. */
    int nodes();

    /** Gives the token of an account to all nodes. */
    Outcome push(String jwt);

    /** The tokens of an account as the nodes have them, one for each answer, empty where a node has none. */
    List<String> lookup(String accountPublicKey);

    /** Removes an account from all nodes. */
    Outcome delete(String deletionJwt);
}
