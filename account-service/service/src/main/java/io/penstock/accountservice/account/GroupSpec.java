package io.penstock.accountservice.account;

/** What the control plane wants of a signing-key group. */
public record GroupSpec(String role, String description, TemplateSpec template) {}
