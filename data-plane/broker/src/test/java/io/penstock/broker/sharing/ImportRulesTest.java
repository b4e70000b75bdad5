package io.penstock.broker.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.sharing.ExportConfig.ResponseType;
import io.penstock.claims.ActivationClaims;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImportRulesTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final NKeyPair exporter = NKeyPair.generate(KeyType.ACCOUNT, RANDOM);
    private final NKeyPair importer = NKeyPair.generate(KeyType.ACCOUNT, RANDOM);
    private final NKeyPair stranger = NKeyPair.generate(KeyType.ACCOUNT, RANDOM);

    @Test
    void publicExportsNeedNothing() throws Exception {
        assertThat(resolve(wanted("orders.a", ""), export("orders.>", null, false, 0, Revocations.NONE)))
                .isInstanceOf(Resolution.Active.class);
    }

    @Test
    void importMayNotBeWiderThanTheExport() throws Exception {
        assertRefused(wanted("orders.>", ""), export("orders.*", null, false, 0, Revocations.NONE), "exports no");
        assertRefused(wanted(">", ""), export("orders.>", null, false, 0, Revocations.NONE), "exports no");
    }

    @Test
    void onlyNamedAccountsMayImportARestrictedExport() throws Exception {
        assertRefused(
                wanted("orders.a", ""),
                export("orders.>", Set.of(stranger.publicKey()), false, 0, Revocations.NONE),
                "other accounts");
        assertThat(resolve(
                        wanted("orders.a", ""),
                        export("orders.>", Set.of(importer.publicKey()), false, 0, Revocations.NONE)))
                .isInstanceOf(Resolution.Active.class);
    }

    @Test
    void accountTokenMustBeTheImporter() throws Exception {
        ExportSpec export = export("orders.*.x", null, false, 2, Revocations.NONE);

        assertThat(resolve(wanted("orders." + importer.publicKey() + ".x", ""), export))
                .isInstanceOf(Resolution.Active.class);
        assertRefused(wanted("orders." + stranger.publicKey() + ".x", ""), export, "must be the importing account");
        assertRefused(wanted("orders.*.x", ""), export, "must be the importing account");
    }

    @Test
    void privateExportNeedsAnActivationThatFits() throws Exception {
        ExportSpec export = export("orders.>", null, true, 0, Revocations.NONE);

        assertRefused(wanted("orders.a", ""), export, "needs an activation token");
        assertRefused(wanted("orders.a", "nonsense"), export, "invalid");
        assertThat(resolve(wanted("orders.a", activation(exporter, importer, "orders.a", 0)), export))
                .isInstanceOf(Resolution.Active.class);
        assertRefused(wanted("orders.a", activation(exporter, importer, "orders.b", 0)), export, "is for orders.b");
        assertRefused(wanted("orders.a", activation(exporter, stranger, "orders.a", 0)), export, "another account");
        assertRefused(
                wanted("orders.a", activation(stranger, importer, "orders.a", 0)),
                export,
                "not signed by the exporting");
        assertRefused(
                wanted("orders.a", activation(exporter, importer, "orders.a", NOW.getEpochSecond() - 1)),
                export,
                "not valid");
    }

    @Test
    void revokedActivationIsRefused() throws Exception {
        long issued = NOW.getEpochSecond() - 100;
        ExportSpec export = export("orders.>", null, true, 0, new Revocations(Map.of(importer.publicKey(), issued)));

        assertRefused(wanted("orders.a", activation(exporter, importer, "orders.a", 0)), export, "revoked");
    }

    @Test
    void unknownExporterIsWaitedFor() throws Exception {
        assertThat(ImportRules.resolve(importer.publicKey(), wanted("orders.a", ""), null, NOW))
                .isInstanceOf(Resolution.Missing.class);
    }

    @Test
    void nobodyImportsFromItself() throws Exception {
        ImportSpec own =
                new ImportSpec(ShareKind.STREAM, importer.publicKey(), SubjectPath.between("a", "a"), "", false, false);

        assertThat(ImportRules.resolve(importer.publicKey(), own, SharingSpec.NONE, NOW))
                .isInstanceOfSatisfying(
                        Resolution.Refused.class,
                        refused -> assertThat(refused.reason()).contains("itself"));
    }

    private String activation(NKeyPair by, NKeyPair forAccount, String subject, long expires) {
        ActivationClaims claims = ActivationClaims.of(
                forAccount.publicKey(), exporter.publicKey(), subject, io.penstock.claims.ShareKind.STREAM);
        return JwtEncoder.encode(
                claims.withRegistered(claims.registered().expiringAt(expires)), by, NOW.getEpochSecond() - 100);
    }

    private ImportSpec wanted(String subject, String token) throws Exception {
        return new ImportSpec(
                ShareKind.STREAM, exporter.publicKey(), SubjectPath.between(subject, subject), token, false, false);
    }

    private static ExportSpec export(
            String subject, Set<String> accounts, boolean token, int position, Revocations revocations) {
        return new ExportSpec(
                ShareKind.STREAM,
                subject,
                accounts,
                token,
                revocations,
                ResponseType.SINGLETON,
                ExportSpec.DEFAULT_THRESHOLD,
                null,
                position,
                false);
    }

    private Resolution resolve(ImportSpec wanted, ExportSpec export) {
        SharingSpec shares = new SharingSpec(List.of(export), List.of(), Set.of(exporter.publicKey()));
        return ImportRules.resolve(importer.publicKey(), wanted, shares, NOW);
    }

    private void assertRefused(ImportSpec wanted, ExportSpec export, String reason) {
        assertThat(resolve(wanted, export))
                .isInstanceOfSatisfying(
                        Resolution.Refused.class,
                        refused -> assertThat(refused.reason()).contains(reason));
    }
}
