package io.penstock.controlplane.tenancy;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;

/** The one organisation that a transaction works for, and who works. `principal` is null in background work. */
public record Scope(String orgId, Principal principal, Role role) {

    /** Refuses with 403 when the role lacks the right. */
    public Scope require(Permission permission) {
        if (role == null || !role.allows(permission)) {
            throw ProblemException.of(
                            ErrorCode.PERMISSION_DENIED,
                            "Your role does not allow this. Ask an owner of the organisation.")
                    .param("permission", permission.code());
        }
        return this;
    }
}
