package io.penstock.accountservice.account;

import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.Export;
import io.penstock.claims.Import;
import io.penstock.claims.JetStreamClaimLimits;
import io.penstock.claims.Permissions;
import io.penstock.claims.ShareKind;
import io.penstock.claims.SigningKey;
import io.penstock.claims.UserLimits;
import io.penstock.claims.WeightedMapping;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Turns what is wanted into claims. Pure. */
final class ClaimsFactory {
    private ClaimsFactory() {}

    /**
     * The claims of an account.
     *
     * @param signingKeys of every group, internal ones included, as they shall stand in the claims
     * @param revocations by user's public key, unix seconds
     * @param publicKeyOf public key of another account by its id
     */
    static AccountClaims account(
            String publicKey,
            AccountSpec spec,
            List<SigningKey> signingKeys,
            Map<String, Long> revocations,
            UnaryOperator<String> publicKeyOf) {
        Map<String, List<WeightedMapping>> mappings = new LinkedHashMap<>();
        spec.mappings()
                .forEach((source, to) -> mappings.put(
                        source,
                        to.stream()
                                .map(m -> new WeightedMapping(m.subject(), m.weight(), orEmpty(m.cluster())))
                                .toList()));
        return AccountClaims.builder(publicKey, spec.name())
                .tags(spec.tags())
                .limits(limits(spec.limits()))
                .exports(spec.exports().stream().map(ClaimsFactory::export).toList())
                .imports(spec.imports().stream()
                        .map(share -> importOf(share, publicKeyOf))
                        .toList())
                .mappings(mappings)
                .defaultPermissions(permissions(spec.defaultPermissions()))
                .signingKeys(signingKeys)
                .revocations(revocations)
                .build();
    }

    /** A scoped signing key. */
    static SigningKey signingKey(String publicKey, String role, String description, TemplateSpec template) {
        return new SigningKey(publicKey, new SigningKey.Scope(role, userLimits(template), description));
    }

    static UserLimits userLimits(TemplateSpec template) {
        return new UserLimits(
                permissions(new PermissionsSpec(template.publish(), template.subscribe(), template.responses())),
                template.sourceCidrs(),
                template.times().stream()
                        .map(range -> new UserLimits.TimeRange(range.start(), range.end()))
                        .toList(),
                template.timeZone(),
                orUnlimited(template.subscriptions()),
                orUnlimited(template.data()),
                orUnlimited(template.payloadBytes()),
                Boolean.TRUE.equals(template.bearer()),
                false,
                template.connectionTypes());
    }

    private static AccountLimits limits(AccountSpec.Limits limits) {
        Map<String, JetStreamClaimLimits> tiers = new LinkedHashMap<>();
        limits.tiers().forEach((tier, of) -> tiers.put(tier, jetStream(of)));
        return new AccountLimits(
                orUnlimited(limits.subscriptions()),
                -1,
                orUnlimited(limits.payloadBytes()),
                orUnlimited(limits.imports()),
                orUnlimited(limits.exports()),
                !Boolean.FALSE.equals(limits.wildcardExports()),
                !Boolean.TRUE.equals(limits.bearerTokensAllowed()),
                orUnlimited(limits.connections()),
                orUnlimited(limits.leafNodes()),
                jetStream(limits.jetstream()),
                tiers);
    }

    private static JetStreamClaimLimits jetStream(AccountSpec.JetStream limits) {
        if (limits == null) {
            return JetStreamClaimLimits.DISABLED;
        }
        return new JetStreamClaimLimits(
                limits.memoryBytes() == null ? 0 : limits.memoryBytes(),
                limits.storageBytes() == null ? 0 : limits.storageBytes(),
                orUnlimited(limits.streams()),
                orUnlimited(limits.consumers()),
                orUnlimited(limits.maxAckPending()),
                orUnlimited(limits.memoryMaxStreamBytes()),
                orUnlimited(limits.storageMaxStreamBytes()),
                Boolean.TRUE.equals(limits.maxBytesRequired()));
    }

    private static Permissions permissions(PermissionsSpec spec) {
        if (spec == null) {
            return Permissions.NONE;
        }
        Permissions.Responses responses = null;
        if (spec.responses() != null) {
            Long ttl = spec.responses().ttlSeconds();
            Long max = spec.responses().max();
            responses = new Permissions.Responses(
                    max == null ? 1 : max,
                    ttl == null || ttl < 0 ? -1 : Duration.ofSeconds(ttl).toNanos());
        }
        return new Permissions(rules(spec.publish()), rules(spec.subscribe()), responses);
    }

    private static Permissions.Rules rules(PermissionsSpec.Rules rules) {
        return rules == null ? Permissions.Rules.NONE : new Permissions.Rules(rules.allow(), rules.deny());
    }

    private static Export export(AccountSpec.ExportSpec spec) {
        return new Export(
                orEmpty(spec.name()),
                orEmpty(spec.subject()),
                kind(spec.type()),
                spec.tokenRequired(),
                spec.revocations(),
                orEmpty(spec.responseType()),
                0,
                spec.latency() == null
                        ? null
                        : new Export.Latency(
                                spec.latency().sampling(),
                                orEmpty(spec.latency().results())),
                spec.accountTokenPosition(),
                spec.advertise(),
                spec.allowTrace(),
                orEmpty(spec.description()),
                "");
    }

    private static Import importOf(AccountSpec.ImportSpec spec, UnaryOperator<String> publicKeyOf) {
        String account =
                spec.accountId() == null ? orEmpty(spec.accountPublicKey()) : publicKeyOf.apply(spec.accountId());
        return new Import(
                orEmpty(spec.name()),
                orEmpty(spec.subject()),
                account,
                orEmpty(spec.token()),
                "",
                orEmpty(spec.localSubject()),
                kind(spec.type()),
                spec.share(),
                spec.allowTrace());
    }

    private static ShareKind kind(String type) {
        return switch (orEmpty(type)) {
            case "stream" -> ShareKind.STREAM;
            case "service" -> ShareKind.SERVICE;
            default -> ShareKind.UNKNOWN;
        };
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private static long orUnlimited(Long limit) {
        return limit == null ? -1 : limit;
    }
}
