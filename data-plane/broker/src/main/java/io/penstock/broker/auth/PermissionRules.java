package io.penstock.broker.auth;

import io.penstock.broker.permission.Permissions;
import io.penstock.broker.permission.ResponsePermission;
import io.penstock.broker.permission.SubjectPermission;
import io.penstock.protocol.Subjects;
import java.time.Duration;
import java.util.List;

/** Turns permissions as written, in the configuration or in claims, into the form the broker checks. */
final class PermissionRules {
    private PermissionRules() {}

    /** The permissions of a user: its own, or the account's default ones when it has none. */
    static Permissions compile(PermissionsConfig own, PermissionsConfig fallback) {
        PermissionsConfig chosen = isEmpty(own) ? fallback : own;
        if (isEmpty(chosen)) {
            return Permissions.ALL;
        }
        return new Permissions(
                new SubjectPermission(wire(chosen.publishAllow()), wire(chosen.publishDeny())),
                new SubjectPermission(wire(chosen.subscribeAllow()), wire(chosen.subscribeDeny())),
                responses(chosen.responses()));
    }

    static PermissionsConfig of(io.penstock.claims.Permissions claims) {
        io.penstock.claims.Permissions.Responses responses = claims.responses();
        return new PermissionsConfig(
                claims.publish().allow(),
                claims.publish().deny(),
                claims.subscribe().allow(),
                claims.subscribe().deny(),
                responses == null
                        ? null
                        : new PermissionsConfig.Responses(
                                Math.clamp(responses.max(), Integer.MIN_VALUE, Integer.MAX_VALUE),
                                Duration.ofNanos(responses.ttlNanos())));
    }

    /** The form claims have them in. */
    static io.penstock.claims.Permissions toClaims(PermissionsConfig config) {
        PermissionsConfig.Responses responses = config.responses();
        return new io.penstock.claims.Permissions(
                new io.penstock.claims.Permissions.Rules(config.publishAllow(), config.publishDeny()),
                new io.penstock.claims.Permissions.Rules(config.subscribeAllow(), config.subscribeDeny()),
                responses == null
                        ? null
                        : new io.penstock.claims.Permissions.Responses(
                                responses.max(), responses.expires().toNanos()));
    }

    /** Whether there is nothing in them, so that defaults apply. */
    static boolean isEmpty(PermissionsConfig permissions) {
        return permissions == null
                || (permissions.publishAllow().isEmpty()
                        && permissions.publishDeny().isEmpty()
                        && permissions.subscribeAllow().isEmpty()
                        && permissions.subscribeDeny().isEmpty()
                        && permissions.responses() == null);
    }

    // Zero is what an absent field reads as, so it stands for the default.
    private static ResponsePermission responses(PermissionsConfig.Responses responses) {
        if (responses == null) {
            return null;
        }
        int max = responses.max() == 0 ? ResponsePermission.DEFAULT_MAX_MESSAGES : responses.max();
        Duration ttl = responses.expires().isZero() ? ResponsePermission.DEFAULT_TTL : responses.expires();
        return new ResponsePermission(max, ttl);
    }

    private static List<String> wire(List<String> entries) {
        return entries.stream().map(Subjects::fromUtf8).toList();
    }

    /** Checks permissions of the configuration. */
    static void validate(PermissionsConfig permissions, String owner) throws AuthConfigException {
        if (permissions == null) {
            return;
        }
        requireSubjects(permissions.publishAllow(), false, owner);
        requireSubjects(permissions.publishDeny(), false, owner);
        requireSubjects(permissions.subscribeAllow(), true, owner);
        requireSubjects(permissions.subscribeDeny(), true, owner);
    }

    private static void requireSubjects(List<String> entries, boolean queueAllowed, String owner)
            throws AuthConfigException {
        for (String entry : entries) {
            String[] parts = entry.strip().split("\\s+");
            boolean valid = parts.length == 1 || (queueAllowed && parts.length == 2);
            for (String part : parts) {
                valid &= Subjects.isValidPattern(part);
            }
            if (!valid) {
                throw new AuthConfigException("permissions of " + owner + ": subject \"" + entry
                        + "\" is not a valid subject" + (queueAllowed ? " (or subject and queue)" : ""));
            }
        }
    }
}
