package io.penstock.accountservice.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** The one operator, public parts. */
@Entity
@Table(name = "operator")
public class OperatorEntity {
    public static final int ID = 1;

    @Id
    public int id;

    @Column(name = "public_key")
    public String publicKey;

    public String jwt;

    @Column(name = "system_account_public_key")
    public String systemAccountPublicKey;

    @Column(name = "system_account_jwt")
    public String systemAccountJwt;

    /** Which of the three signing keys signs now, from 1. */
    @Column(name = "active_signing_key")
    public int activeSigningKey;

    @Column(name = "created_at")
    public Instant createdAt;
}
