package io.penstock.accountservice.issue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What an issued token is good for now. */
public enum IssuanceState {
    /** Valid. */
    @JsonProperty("active")
    ACTIVE,
    /** Valid for less than a tenth of its time. */
    @JsonProperty("expiring")
    EXPIRING,
    /** Valid, but a later token was issued to the same key. */
    @JsonProperty("superseded")
    SUPERSEDED,
    /** Its time is over. */
    @JsonProperty("expired")
    EXPIRED,
    /** Revoked by its key or with all others. */
    @JsonProperty("revoked")
    REVOKED,
    /** The key that signed it is out of the account's claims. */
    @JsonProperty("sk_removed")
    SIGNING_KEY_REMOVED
}
