package io.penstock.controlplane.bootstrap;

import java.util.List;

/** How far the set-up is. The ids appear as their steps succeed. */
public record BootstrapView(
        String state,
        List<Step> steps,
        String organizationId,
        String projectId,
        String accountId,
        String signingKeyGroupId) {

    /** One step; `state` is pending, running, succeeded or failed. */
    public record Step(String name, String state, String error) {}
}
