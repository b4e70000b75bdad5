package io.penstock.accountservice.store;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a version of a signing key is good for. */
public enum KeyState {
    /** Signs new users. */
    @JsonProperty("active")
    ACTIVE,
    /** Signs nothing new; its users stay connected until it is removed. */
    @JsonProperty("retiring")
    RETIRING,
    /** Out of the account's claims and destroyed. */
    @JsonProperty("removed")
    REMOVED
}
