package io.penstock.controlplane.account;

import io.penstock.controlplane.credential.ScopeTemplate;

/** What users without permissions of their own may do. Null opens everything. */
public record PermissionSet(
        ScopeTemplate.SubjectPermission publish,
        ScopeTemplate.SubjectPermission subscribe,
        ScopeTemplate.ResponsePermission responses) {

    /** The same as a template, whose rules of validity and of what stays closed hold for it too. */
    public ScopeTemplate asTemplate() {
        return new ScopeTemplate(publish, subscribe, responses, null, null, null, null, null, null);
    }

    PermissionSet withDefaults() {
        ScopeTemplate whole = asTemplate().withDefaults();
        return new PermissionSet(whole.publish(), whole.subscribe(), whole.responses());
    }
}
