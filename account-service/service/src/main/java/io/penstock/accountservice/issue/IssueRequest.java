package io.penstock.accountservice.issue;

import java.util.List;

/**
 * A user token asked for.
 *
 * @param userId whose it is in the control plane
 * @param issuanceId chosen by the control plane; one token for each
 * @param name in the token, for `{{name()}}` in templates and in the nodes' events
 * @param publicKey the user's own public nkey, or null to have one made and its seed handed out once
 * @param ttlSeconds how long the token is valid
 * @param channel where it was asked for, such as `console` or `api`
 * @param issuedBy principal that asked
 */
public record IssueRequest(
        String userId,
        String issuanceId,
        String name,
        String publicKey,
        List<String> tags,
        Long ttlSeconds,
        String channel,
        String issuedBy) {

    public IssueRequest {
        tags = tags == null ? List.of() : tags;
    }
}
