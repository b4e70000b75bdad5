package io.penstock.controlplane.tenancy;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;

/**
 * The one organisation that a transaction works for, who works, and what they may. `projectId` is that of the object asked for, null for
 * what belongs to the organisation itself. `principal` is null in background work, which has no rights to ask for.
 */
public record Scope(String orgId, String projectId, Principal principal, Rights rights) {

    /** Refuses with 403 without the right to the object asked for. */
    public Scope require(Permission permission) {
        return require(permission, projectId);
    }

    /** Refuses with 403 without the right in this project, or, with null, in the organisation itself. */
    public Scope require(Permission permission, String project) {
        if (!rights.allows(permission, project)) {
            throw denied(permission);
        }
        return this;
    }

    /** Refuses with 403 without the right in the organisation or any project; the caller shows only where it holds. */
    public Scope requireSomewhere(Permission permission) {
        if (!rights.allowsSomewhere(permission)) {
            throw denied(permission);
        }
        return this;
    }

    private ProblemException denied(Permission permission) {
        boolean byToken = principal != null
                && principal.token() != null
                && !TokenGrant.includes(principal.token().scopes(), permission);
        String detail = byToken
                ? "The token has no scope for this. Make one with the scope " + permission.code() + "."
                : principal != null && principal.kind() == Principal.Kind.SERVICE_ACCOUNT
                        ? "The service account, or the projects of its token, do not allow this. It needs a role with "
                                + permission.code() + "."
                        : "Your role does not allow this. Ask an owner of the organisation for " + permission.code()
                                + ".";
        return ProblemException.of(ErrorCode.PERMISSION_DENIED, detail).param("permission", permission.code());
    }
}
