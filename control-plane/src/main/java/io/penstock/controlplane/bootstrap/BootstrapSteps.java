package io.penstock.controlplane.bootstrap;

import io.penstock.controlplane.access.RoleAssignments;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.account.Accounts;
import io.penstock.controlplane.account.Reconciler;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.credential.GroupRepository;
import io.penstock.controlplane.org.OrganizationEntity;
import io.penstock.controlplane.org.OrganizationRepository;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/** What each step does. Every step can be run again after it succeeded, and changes nothing then. */
@ApplicationScoped
class BootstrapSteps {
    private static final String NAME = "default";

    @Inject
    Tenancy tenancy;

    @Inject
    OrganizationRepository organizations;

    @Inject
    ProjectRepository projects;

    @Inject
    AccountRepository accounts;

    @Inject
    GroupRepository groups;

    @Inject
    Accounts factory;

    @Inject
    Reconciler reconciler;

    @Inject
    Locator locator;

    @Inject
    RoleAssignments roles;

    @Inject
    Audit audit;

    @Inject
    EntityManager database;

    @Inject
    Clock clock;

    /** Returns whether the step is done; false asks to come back later. */
    boolean run(BootstrapStep step, BootstrapEntity plan, Principal who) {
        return switch (step) {
            case ORGANIZATION -> inOrganization(plan, who, scope -> organization(scope, plan));
            case PROJECT ->
                inOrganization(plan, who, scope -> {
                    if (projects.findById(plan.projectId) == null) {
                        projects.create(scope, plan.projectId, NAME, clock.instant());
                        audit.success(scope, "project.created", "/v1/projects/" + plan.projectId, Map.of("name", NAME));
                    }
                });
            case ACCOUNT ->
                inOrganization(plan, who, scope -> {
                    if (accounts.findById(plan.accountId) == null) {
                        factory.create(scope, plan.projectId, plan.accountId, NAME);
                    }
                });
            case SIGNING_KEY_GROUP ->
                inOrganization(plan, who, scope -> {
                    if (groups.findById(plan.groupId) == null) {
                        factory.createGroup(
                                scope,
                                plan.accountId,
                                plan.groupId,
                                Accounts.DEFAULT_GROUP,
                                "Everything in the account",
                                null);
                    }
                });
            case BROKER_SYNC -> reconciler.now(plan.orgId, plan.accountId);
        };
    }

    private boolean inOrganization(BootstrapEntity plan, Principal who, java.util.function.Consumer<Scope> work) {
        return tenancy.runAs(plan.orgId, who, scope -> {
            work.accept(scope);
            return true;
        });
    }

    private void organization(Scope scope, BootstrapEntity plan) {
        if (organizations.findById(plan.orgId) != null) {
            return;
        }
        Instant now = clock.instant();
        OrganizationEntity organization = new OrganizationEntity();
        organization.id = plan.orgId;
        organization.name = plan.orgName;
        organization.state = "active";
        organization.createdAt = now;
        organization.updatedAt = now;
        organizations.persistAndFlush(organization);
        database.createNativeQuery("insert into membership (org_id, user_id, created_at) values (?1, ?2, ?3)")
                .setParameter(1, plan.orgId)
                .setParameter(2, plan.userId)
                .setParameter(3, now)
                .executeUpdate();
        locator.add(plan.orgId, plan.orgId);
        roles.give(scope, Principal.Kind.USER, plan.userId, Role.OWNER, null);
        audit.success(scope, "organization.created", "/v1/orgs/" + plan.orgId, Map.of("name", plan.orgName));
    }
}
