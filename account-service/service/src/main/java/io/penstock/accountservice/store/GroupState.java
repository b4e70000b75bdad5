package io.penstock.accountservice.store;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a signing-key group is in use. */
public enum GroupState {
    /** Its keys are in the account's claims and it issues users. */
    @JsonProperty("active")
    ACTIVE,
    /** Its keys are out of the claims and destroyed; its ledger stays. */
    @JsonProperty("removed")
    REMOVED
}
