package io.penstock.broker.resolver;

import io.penstock.broker.AccountLimits;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.sharing.ExportConfig;
import io.penstock.broker.sharing.ExportConfig.ResponseType;
import io.penstock.broker.sharing.ExportSpec;
import io.penstock.broker.sharing.ImportSpec;
import io.penstock.broker.sharing.Revocations;
import io.penstock.broker.sharing.ShareKind;
import io.penstock.broker.sharing.SharingSpec;
import io.penstock.broker.sharing.SubjectPath;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.Export;
import io.penstock.claims.Import;
import io.penstock.claims.JetStreamClaimLimits;
import io.penstock.claims.SigningKey;
import io.penstock.claims.WeightedMapping;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads what account claims say into the broker's own terms. Pure. */
final class ClaimsToAccount {
    private ClaimsToAccount() {}

    static AccountLimits limits(AccountClaims claims) {
        io.penstock.claims.AccountLimits limits = claims.limits();
        return new AccountLimits(limits.connections(), limits.leafNodes(), limits.subscriptions(), limits.payload());
    }

    /** JetStream limits, or null when the account has no JetStream. */
    static JetStreamLimits jetStream(AccountClaims claims) {
        io.penstock.claims.AccountLimits limits = claims.limits();
        if (!limits.isJetStreamEnabled()) {
            return null;
        }
        Map<String, JetStreamLimits> tiers = new LinkedHashMap<>();
        limits.tiers().forEach((name, tier) -> tiers.put(name, jetStream(tier, Map.of())));
        return jetStream(limits.jetStream(), tiers);
    }

    private static JetStreamLimits jetStream(JetStreamClaimLimits limits, Map<String, JetStreamLimits> tiers) {
        return new JetStreamLimits(
                limits.memoryStorage(),
                limits.diskStorage(),
                unlimitedIfNone(limits.streams()),
                unlimitedIfNone(limits.consumers()),
                unlimitedIfNone(limits.maxAckPending()),
                unlimitedIfNone(limits.memoryMaxStreamBytes()),
                unlimitedIfNone(limits.diskMaxStreamBytes()),
                limits.maxBytesRequired(),
                tiers);
    }

    // For counts and sizes of single streams a 0, which is what an absent field reads as, sets no limit.
    private static long unlimitedIfNone(long limit) {
        return limit <= 0 ? -1 : limit;
    }

    static SubjectMappings mappings(AccountClaims claims, String cluster) throws ClaimsException {
        List<SubjectMappings.Definition> definitions = new ArrayList<>();
        claims.mappings()
                .forEach((source, destinations) -> definitions.add(new SubjectMappings.Definition(
                        Subjects.fromUtf8(source),
                        destinations.stream().map(ClaimsToAccount::destination).toList())));
        try {
            return SubjectMappings.of(definitions, cluster);
        } catch (InvalidTransformException e) {
            throw new ClaimsException("mappings: " + e.getMessage());
        }
    }

    private static SubjectMappings.Destination destination(WeightedMapping mapping) {
        return new SubjectMappings.Destination(
                Subjects.fromUtf8(mapping.subject()), mapping.effectiveWeight(), mapping.cluster());
    }

    static SharingSpec sharing(AccountClaims claims) throws ClaimsException {
        List<ExportSpec> exports =
                claims.exports().stream().map(ClaimsToAccount::export).toList();
        List<ImportSpec> imports = new ArrayList<>();
        for (Import one : claims.imports()) {
            imports.add(importOf(one));
        }
        Set<String> keys = new HashSet<>();
        keys.add(claims.subject());
        claims.signingKeys().stream().map(SigningKey::key).forEach(keys::add);
        return new SharingSpec(exports, imports, keys);
    }

    private static ExportSpec export(Export export) {
        Duration threshold = export.responseThresholdNanos() > 0
                ? Duration.ofNanos(export.responseThresholdNanos())
                : ExportSpec.DEFAULT_THRESHOLD;
        ResponseType type = export.responseType().isEmpty()
                ? ResponseType.SINGLETON
                : ResponseType.valueOf(export.responseType().toUpperCase(Locale.ROOT));
        ExportConfig.Latency latency = export.latency() == null
                ? null
                : new ExportConfig.Latency(
                        export.latency().sampling(),
                        Subjects.fromUtf8(export.latency().results()));
        return new ExportSpec(
                ShareKind.valueOf(export.kind().name()),
                Subjects.fromUtf8(export.subject()),
                null,
                export.tokenRequired(),
                new Revocations(export.revocations()),
                type,
                threshold,
                latency,
                export.accountTokenPosition(),
                export.allowTrace());
    }

    private static ImportSpec importOf(Import one) throws ClaimsException {
        try {
            return new ImportSpec(
                    ShareKind.valueOf(one.kind().name()),
                    one.account(),
                    path(one),
                    one.token(),
                    one.share(),
                    one.allowTrace());
        } catch (InvalidTransformException e) {
            throw new ClaimsException("import \"" + one.subject() + "\": " + e.getMessage());
        }
    }

    private static SubjectPath path(Import one) throws InvalidTransformException {
        String subject = Subjects.fromUtf8(one.subject());
        String local = Subjects.fromUtf8(one.localSubject());
        String to = Subjects.fromUtf8(one.to());
        if (!local.isEmpty()) {
            return SubjectPath.between(local, subject);
        }
        if (to.isEmpty()) {
            return SubjectPath.between(subject, subject);
        }
        // The old field was a prefix for streams, and the exporter's subject for services.
        return one.kind() == io.penstock.claims.ShareKind.STREAM
                ? SubjectPath.between((to.endsWith(".") ? to : to + ".") + subject, subject)
                : SubjectPath.between(subject, to);
    }
}
