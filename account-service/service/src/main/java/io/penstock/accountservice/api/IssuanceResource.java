package io.penstock.accountservice.api;

import io.penstock.accountservice.issue.Ledger;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** One entry of the ledger. */
@Path("/internal/v1/issuances/{issuanceId}")
@RunOnVirtualThread
public class IssuanceResource {
    private final Ledger ledger;

    IssuanceResource(Ledger ledger) {
        this.ledger = ledger;
    }

    @GET
    public Ledger.Entry get(@PathParam("issuanceId") String issuanceId) {
        return ledger.get(issuanceId);
    }
}
