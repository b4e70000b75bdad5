package io.penstock.accountservice.api;

import io.penstock.accountservice.operator.OperatorKeys;
import io.penstock.accountservice.store.OperatorEntity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;

/** The operator's public parts. */
@Path("/internal/v1/operator")
@RunOnVirtualThread
public class OperatorResource {
    private final OperatorKeys keys;

    OperatorResource(OperatorKeys keys) {
        this.keys = keys;
    }

    /** Public parts of the operator. */
    public record OperatorView(
            String operatorPublicKey, String operatorJwt, SystemAccountView systemAccount, List<String> signingKeys) {}

    /** Public parts of the system account. */
    public record SystemAccountView(String publicKey, String jwt) {}

    @GET
    @Transactional
    public OperatorView get() {
        OperatorEntity operator = keys.operator();
        return new OperatorView(
                operator.publicKey,
                operator.jwt,
                new SystemAccountView(operator.systemAccountPublicKey, operator.systemAccountJwt),
                keys.signingKeys());
    }
}
