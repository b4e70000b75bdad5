package io.penstock.controlplane.broker;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests on a tenant's account. Calls block; failures are `ProblemException`s. */
public interface Broker {
    /** An answer: the headers (never null) and the payload. */
    record Reply(Map<String, List<String>> headers, byte[] data) {}

    Reply request(String accountId, String subject, byte[] payload);

    /** Version of the node that was connected to last. */
    Optional<String> serverVersion();
}
