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

/** One version of a group's signing key; its seed is in the key store. */
@Entity
@Table(name = "signing_key_version")
public class KeyVersionEntity {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    @Column(name = "group_pk")
    public long groupPk;

    public int version;

    @Column(name = "public_key")
    public String publicKey;

    @Enumerated(EnumType.STRING)
    public KeyState state;

    /** When a retiring key is removed. */
    @Column(name = "retire_at")
    public Instant retireAt;

    @Column(name = "created_at")
    public Instant createdAt;
}
