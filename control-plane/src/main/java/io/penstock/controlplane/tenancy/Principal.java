package io.penstock.controlplane.tenancy;

/** Who acts. `userId` is ours, `sub` the identity provider's. */
public record Principal(String userId, String sub, String email, String name) {}
