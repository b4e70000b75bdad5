package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Tokens of one organisation, and the hashes of their secrets. */
@ApplicationScoped
public class ApiTokenRepository extends TenantRepository<ApiTokenEntity> {
    @Inject
    EntityManager database;

    /** A secret that was presented: of which token, and until when it works when a rotation replaced it. */
    record Secret(String tokenId, Instant validUntil) {}

    void addSecret(ApiTokenEntity token, String hash, Instant now) {
        database.createNativeQuery("insert into api_token_secret (secret_hash, org_id, token_id, created_at)"
                        + " values (?1, ?2, ?3, ?4)")
                .setParameter(1, hash)
                .setParameter(2, token.orgId)
                .setParameter(3, token.id)
                .setParameter(4, now)
                .executeUpdate();
    }

    /** The secrets so far work until `end`, those that end earlier as they did. What is over is kept: its holder reads why. */
    void endSecrets(String tokenId, Instant end) {
        database.createNativeQuery(
                        "update api_token_secret set valid_until = least(valid_until, ?2) where token_id = ?1")
                .setParameter(1, tokenId)
                .setParameter(2, end)
                .executeUpdate();
    }

    Optional<String> organizationOf(String hash) {
        List<?> found = database.createNativeQuery("select org_id from api_token_secret where secret_hash = ?1")
                .setParameter(1, hash)
                .getResultList();
        return found.stream().map(org -> (String) org).findFirst();
    }

    Optional<Secret> secret(String hash) {
        List<?> rows = database.createNativeQuery(
                        "select token_id, valid_until from api_token_secret where secret_hash = ?1")
                .setParameter(1, hash)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Secret((String) row[0], (Instant) row[1]))
                .findFirst();
    }

    /** When the secret before the present one ends, if that is still to come. */
    Instant previousValidUntil(String tokenId, Instant now) {
        return (Instant) database.createNativeQuery(
                        "select max(valid_until) from api_token_secret where token_id = ?1 and valid_until > ?2",
                        Instant.class)
                .setParameter(1, tokenId)
                .setParameter(2, now)
                .getSingleResult();
    }

    /** Coarse: at most once a minute, however many processes serve the token, and without touching its version. */
    void used(String tokenId, Instant now, String ip, String agent) {
        database.createNativeQuery("update api_token set last_used_at = ?2, last_used_ip = ?3, last_used_agent = ?4"
                        + " where id = ?1 and (last_used_at is null or last_used_at < ?5)")
                .setParameter(1, tokenId)
                .setParameter(2, now)
                .setParameter(3, ip)
                .setParameter(4, agent)
                .setParameter(5, now.minusSeconds(60))
                .executeUpdate();
    }

    long live(String ownerId, Instant now) {
        return count("ownerId = ?1 and revokedAt is null and expiresAt > ?2", ownerId, now);
    }

    List<ApiTokenEntity> notRevoked(String ownerId) {
        return list("ownerId = ?1 and revokedAt is null", ownerId);
    }
}
