package io.penstock.controlplane.org;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/** Organisations; row-level security shows those of the person and the one of the transaction. */
@ApplicationScoped
public class OrganizationRepository implements PanacheRepositoryBase<OrganizationEntity, String> {}
