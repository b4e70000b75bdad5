package io.penstock.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountRulesTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_796_000_000L);

    private final SecureRandom random = new SecureRandom();
    private final NKeyPair importer = NKeyPair.generate(KeyType.ACCOUNT, random);
    private final NKeyPair exporter = NKeyPair.generate(KeyType.ACCOUNT, random);

    @Test
    void acceptsAnOrdinaryAccount() {
        AccountClaims claims = account()
                .exports(List.of(Export.of("orders", "orders.*", ShareKind.STREAM)))
                .imports(List.of(Import.of("time", "time.now", exporter.publicKey(), ShareKind.SERVICE)))
                .mappings(Map.of(
                        "a.*", List.of(new WeightedMapping("b.$1", 60, ""), new WeightedMapping("c.$1", 40, ""))))
                .build();
        assertThat(claims.validate(NOW).issues()).isEmpty();
    }

    @Test
    void refusesMoreImportsAndExportsThanAllowed() {
        AccountLimits none =
                new AccountLimits(-1, -1, -1, 0, 0, false, false, -1, -1, JetStreamClaimLimits.DISABLED, Map.of());
        AccountClaims claims = account()
                .limits(none)
                .exports(List.of(Export.of("orders", "orders.*", ShareKind.STREAM)))
                .imports(List.of(Import.of("time", "time.now", exporter.publicKey(), ShareKind.SERVICE)))
                .build();
        assertBlocked(claims, "more imports", "more exports", "wildcard export");
    }

    @Test
    void refusesMappingsOfMoreThanAHundredPercentInOneCluster() {
        AccountClaims claims = account()
                .mappings(Map.of("a", List.of(new WeightedMapping("b", 60, ""), new WeightedMapping("c", 50, ""))))
                .build();
        assertBlocked(claims, "exceeds 100%");
        AccountClaims clusters = account()
                .mappings(Map.of("a", List.of(new WeightedMapping("b", 60, "x"), new WeightedMapping("c", 50, "y"))))
                .build();
        assertThat(clusters.validate(NOW).isBlocking(false)).isFalse();
    }

    @Test
    void refusesFlatAndTieredLimitsTogether() {
        JetStreamClaimLimits some = new JetStreamClaimLimits(0, 1 << 20, 0, 0, 0, 0, 0, false);
        AccountLimits both = new AccountLimits(-1, -1, -1, -1, -1, true, false, -1, -1, some, Map.of("R1", some));
        assertBlocked(account().limits(both).build(), "mutually exclusive");
    }

    @Test
    void acceptsAnActivationOfTheExporterOnly() {
        assertThat(account()
                        .imports(List.of(privateImport(exporter, importer.publicKey(), "orders.>")))
                        .build()
                        .validate(NOW)
                        .isBlocking(true))
                .isFalse();
        try (NKeyPair stranger = NKeyPair.generate(KeyType.ACCOUNT, random)) {
            assertBlocked(
                    account()
                            .imports(List.of(privateImport(stranger, importer.publicKey(), "orders.>")))
                            .build(),
                    "doesn't match account of import");
            assertBlocked(
                    account()
                            .imports(List.of(privateImport(exporter, stranger.publicKey(), "orders.>")))
                            .build(),
                    "included in");
        }
        assertBlocked(
                account()
                        .imports(List.of(privateImport(exporter, importer.publicKey(), "invoices.>")))
                        .build(),
                "doesn't match import");
    }

    @Test
    void refusesDuplicateServiceImportsFromOneAccount() {
        Import first = Import.of("a", "svc.a", exporter.publicKey(), ShareKind.SERVICE);
        assertBlocked(account().imports(List.of(first, first)).build(), "duplicate service import subject");
    }

    @Test
    void refusesOverlappingExportsAndBadTokenPositions() {
        Export wide = Export.of("a", "svc.>", ShareKind.SERVICE);
        Export narrow = Export.of("b", "svc.x", ShareKind.SERVICE);
        assertBlocked(account().exports(List.of(wide, narrow)).build(), "overlaps");
        Export position =
                new Export("c", "a.*.b", ShareKind.STREAM, true, Map.of(), "", 0, null, 3, false, false, "", "");
        assertBlocked(account().exports(List.of(position)).build(), "account_token_position");
    }

    @Test
    void refusesLocalSubjectsThatLoseWildcards() {
        Import share = new Import("a", "x.*.*", exporter.publicKey(), "", "", "y.$2", ShareKind.STREAM, false, false);
        assertBlocked(account().imports(List.of(share)).build(), "every wildcard");
        Import swapped =
                new Import("a", "x.*.*", exporter.publicKey(), "", "", "y.$2.$1", ShareKind.STREAM, false, false);
        assertThat(account().imports(List.of(swapped)).build().validate(NOW).isBlocking(true))
                .isFalse();
        Import beyond =
                new Import("a", "x.*.*", exporter.publicKey(), "", "", "y.$3.$1", ShareKind.STREAM, false, false);
        assertBlocked(account().imports(List.of(beyond)).build(), "do not exist");
    }

    @Test
    void refusesKeysOfTheWrongKind() {
        try (NKeyPair user = NKeyPair.generate(KeyType.USER, random)) {
            AccountClaims claims = account()
                    .signingKeys(List.of(new SigningKey(user.publicKey(), null)))
                    .revocations(Map.of(exporter.publicKey(), 5L))
                    .build();
            assertBlocked(claims, "signing key", "revocation");
        }
    }

    private Import privateImport(NKeyPair signer, String to, String allowed) {
        String token = JwtEncoder.encode(
                new ActivationClaims(
                        Registered.about(to, allowed), 2, List.of(), allowed, ShareKind.STREAM, "", Map.of()),
                signer,
                5);
        return new Import("orders", "orders.eu", exporter.publicKey(), token, "", "", ShareKind.STREAM, false, false);
    }

    private AccountClaimsBuilder account() {
        return AccountClaims.builder(importer.publicKey(), "importer");
    }

    private static void assertBlocked(AccountClaims claims, String... findings) {
        ValidationResults results = claims.validate(NOW);
        assertThat(results.isBlocking(false)).isTrue();
        assertThat(results.toString()).contains(findings);
    }
}
