package io.penstock.controlplane.account;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;

/** Accounts of one organisation. */
@ApplicationScoped
public class AccountRepository extends TenantRepository<AccountEntity> {}
