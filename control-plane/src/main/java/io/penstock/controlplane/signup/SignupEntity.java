package io.penstock.controlplane.signup;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** One sign-up from the form to the verified address. */
@Entity
@Table(name = "signup")
public class SignupEntity {
    @Id
    public String id;

    public String email;

    @Column(name = "organization_name")
    public String organizationName;

    @Column(name = "directory_id")
    public String directoryId;

    public String state;

    @Column(name = "code_hash")
    public byte[] codeHash;

    @Column(name = "code_expires_at")
    public Instant codeExpiresAt;

    @Column(name = "code_tries")
    public int codeTries;

    @Column(name = "link_hash")
    public byte[] linkHash;

    @Column(name = "link_expires_at")
    public Instant linkExpiresAt;

    @Column(name = "sent_count")
    public int sentCount;

    @Column(name = "last_sent_at")
    public Instant lastSentAt;

    @Column(name = "created_at")
    public Instant createdAt;

    SignupState state() {
        return SignupState.valueOf(state.toUpperCase(java.util.Locale.ROOT));
    }

    void state(SignupState next) {
        state = next.name().toLowerCase(java.util.Locale.ROOT);
    }
}
