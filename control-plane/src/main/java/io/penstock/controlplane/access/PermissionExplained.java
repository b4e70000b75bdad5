package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Rights;
import io.penstock.controlplane.tenancy.TokenGrant;
import java.util.ArrayList;
import java.util.List;

/** The decision of {@link Rights}, in words. Pure. `projectId` null: something of the organisation itself. */
record PermissionExplained(boolean allowed, String reason, List<String> trace) {

    static PermissionExplained of(Rights byRole, TokenGrant token, Permission wanted, String projectId) {
        List<String> trace = new ArrayList<>();
        String by = null;
        for (Rights.Given given : byRole.given()) {
            boolean here = given.projectId() == null || given.projectId().equals(projectId);
            boolean holds = given.role().allows(wanted);
            String role = "role " + given.role().code() + " in "
                    + (given.projectId() == null ? "the organisation" : given.projectId());
            trace.add(role + ": " + (!here ? "elsewhere" : holds ? "has " + wanted.code() : "lacks " + wanted.code()));
            if (here && holds && by == null) {
                by = role;
            }
        }
        if (by == null) {
            return new PermissionExplained(false, "no role has " + wanted.code() + " here", trace);
        }
        if (token == null) {
            return new PermissionExplained(true, by, trace);
        }
        boolean allowed = byRole.limitedTo(token).allows(wanted, projectId);
        boolean outside = !token.projectIds().isEmpty()
                && (projectId == null || !token.projectIds().contains(projectId));
        String limit = outside
                ? "token " + token.tokenId() + ": confined to other projects"
                : "token " + token.tokenId() + ": its scopes " + (allowed ? "include " : "lack ") + wanted.code();
        trace.add(limit);
        return new PermissionExplained(allowed, allowed ? by : limit, trace);
    }
}
