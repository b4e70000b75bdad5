package io.penstock.accountservice.store;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How far the nodes are with an account. */
public enum SyncState {
    /** A change is on its way. */
    @JsonProperty("syncing")
    SYNCING,
    /** Every known node has confirmed the latest claims. */
    @JsonProperty("synced")
    SYNCED,
    /** The last attempt failed; it is repeated until it succeeds. */
    @JsonProperty("failed")
    FAILED
}
