package io.penstock.controlplane.bootstrap;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** The set-up of one person's first organisation. All ids are chosen at the start, so each step can be repeated. */
@Entity
@Table(name = "bootstrap")
public class BootstrapEntity {
    @Id
    @Column(name = "user_id")
    public String userId;

    @Column(name = "org_id", updatable = false)
    public String orgId;

    @Column(name = "project_id", updatable = false)
    public String projectId;

    @Column(name = "account_id", updatable = false)
    public String accountId;

    @Column(name = "group_id", updatable = false)
    public String groupId;

    @Column(name = "org_name", updatable = false)
    public String orgName;

    public String state;

    /** JSON array of {@link BootstrapView.Step}. */
    public String steps;

    public int attempts;

    @Column(name = "due_at")
    public Instant dueAt;
}
