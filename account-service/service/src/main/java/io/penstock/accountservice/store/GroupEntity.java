package io.penstock.accountservice.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A role of an account, with signing keys whose users all get the role's template. */
@Entity
@Table(name = "signing_key_group")
public class GroupEntity {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    @Column(name = "account_id")
    public String accountId;

    @Column(name = "group_id")
    public String groupId;

    public String role;
    public String description;

    /** JSON of TemplateSpec. */
    public String template;

    @Enumerated(EnumType.STRING)
    public GroupState state;

    /** Made by this service for its own use; not shown to tenants. */
    public boolean internal;

    @Column(name = "created_at")
    public Instant createdAt;
}
