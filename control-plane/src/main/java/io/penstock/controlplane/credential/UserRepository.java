package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;

/** Users of one organisation's accounts. */
@ApplicationScoped
public class UserRepository extends TenantRepository<UserEntity> {}
