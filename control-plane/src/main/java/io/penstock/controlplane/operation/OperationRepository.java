package io.penstock.controlplane.operation;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;

/** Operations of one organisation. */
@ApplicationScoped
public class OperationRepository extends TenantRepository<OperationEntity> {}
