package io.penstock.controlplane.audit;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;

/** Audit events of one organisation. */
@ApplicationScoped
public class AuditRepository extends TenantRepository<AuditEntity> {}
