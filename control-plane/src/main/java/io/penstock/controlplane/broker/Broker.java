package io.penstock.controlplane.broker;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests on a tenant's account. Calls block; failures are `ProblemException`s. */
public interface Broker {
    /** Parameter of the refusal of an account that account-service does not know, not yet or no longer. */
    String UNKNOWN_ACCOUNT = "unknown_account";

    /** An answer: the headers (never null) and the payload. */
    record Reply(Map<String, List<String>> headers, byte[] data) {}

    Reply request(String accountId, String subject, byte[] payload);

    /** As the other one, with headers. */
    Reply request(String accountId, String subject, Map<String, String> headers, byte[] payload);

    /** Connections of clients that are open on the account, ours not counted; empty when the broker does not tell. */
    Optional<Long> connections(String accountId);

    /**
     * A node of the broker.
     *
     * @param cluster empty for a node that stands alone
     */
    record Node(String name, String version, Optional<String> cluster, List<String> tags) {}

    /** Every node that answers now; empty when the broker does not tell. Not for tenants' eyes as it is. */
    List<Node> nodes(String accountId);

    /** Version of the node that was connected to last. */
    Optional<String> serverVersion();
}
