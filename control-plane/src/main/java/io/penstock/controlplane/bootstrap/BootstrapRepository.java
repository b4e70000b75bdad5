package io.penstock.controlplane.bootstrap;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

/** Set-ups, one a person. */
@ApplicationScoped
public class BootstrapRepository implements PanacheRepositoryBase<BootstrapEntity, String> {}
