package io.penstock.controlplane.broker;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests on a tenant's account. Calls block; failures are `ProblemException`s. */
public interface Broker {
    /** An answer: the headers (never null) and the payload. */
    record Reply(Map<String, List<String>> headers, byte[] data) {}

    Reply request(String accountId, String subject, byte[] payload);

    /** As the other one, with headers. */
    Reply request(String accountId, String subject, Map<String, String> headers, byte[] payload);

    /** Connections of clients that are open on the account, ours not counted; empty when the broker does not tell. */
    Optional<Long> connections(String accountId);

    /** Version of the node that was connected to last. */
    Optional<String> serverVersion();
}
