package io.penstock.accountservice.store;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where an account is in its life. */
public enum AccountState {
    /** Its users connect. */
    @JsonProperty("active")
    ACTIVE,
    /** Its claims list no signing key of the tenant: users are disconnected and refused, data stays. */
    @JsonProperty("suspended")
    SUSPENDED,
    /** Its claims are being removed from the nodes, then its keys are destroyed. */
    @JsonProperty("deleting")
    DELETING,
    /** Gone; id and public key are kept so that neither is used again. */
    @JsonProperty("deleted")
    DELETED
}
