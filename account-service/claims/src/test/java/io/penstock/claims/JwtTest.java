package io.penstock.claims;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwtTest {
    private static final long NOW = 1_796_000_000L;

    private final SecureRandom random = new SecureRandom();
    private final NKeyPair operator = NKeyPair.generate(KeyType.OPERATOR, random);
    private final NKeyPair account = NKeyPair.generate(KeyType.ACCOUNT, random);
    private final NKeyPair user = NKeyPair.generate(KeyType.USER, random);

    @ParameterizedTest
    @ValueSource(strings = {"operator", "account", "account-escaped-name", "user", "user-scoped"})
    void readsTokensOfTheReferenceToolAndKeepsEveryField(String name) throws Exception {
        String token = fixture(name);
        Claims claims = JwtDecoder.decode(token);

        assertThat(claims.version()).isEqualTo(2);
        assertThat(claims.validate(Instant.ofEpochSecond(NOW)).isBlocking(true)).isFalse();
        assertThat(JwtEncoder.id(claims.registered()
                        .issued(claims.issuer(), claims.registered().issuedAt(), "")))
                .isEqualTo(claims.registered().id());
        NKeyPair signer = claims instanceof UserClaims ? account : operator;
        String again = JwtEncoder.encode(claims, signer, claims.registered().issuedAt());
        assertThat(payload(again).get("nats")).isEqualTo(payload(token).get("nats"));
        assertThat(JwtDecoder.decode(again).withRegistered(claims.registered())).isEqualTo(claims);
    }

    @Test
    void readsWhatAnAccountTokenSays() throws Exception {
        AccountClaims claims = JwtDecoder.decodeAccount(fixture("account"));

        assertThat(claims.limits().connections()).isEqualTo(50);
        assertThat(claims.limits().disallowBearer()).isTrue();
        assertThat(claims.limits().jetStream())
                .isEqualTo(new JetStreamClaimLimits(1L << 30, 10L << 30, 10, 100, 1000, 0, 0, false));
        assertThat(claims.signingKeys()).extracting(SigningKey::isScoped).containsExactly(true, false);
        UserLimits template = claims.signingKeys().getFirst().scope().template();
        assertThat(template.permissions().publish().allow()).containsExactly("jobs.{{name()}}.>");
        assertThat(template.connectionTypes()).containsExactly("STANDARD", "WEBSOCKET");
        assertThat(claims.exports()).extracting(Export::kind).containsExactly(ShareKind.STREAM, ShareKind.SERVICE);
        assertThat(claims.imports().getFirst().share()).isTrue();
        assertThat(claims.tags()).containsExactly("env:prod");
    }

    @Test
    void keepsFieldsItDoesNotKnow() throws Exception {
        String payload =
                "{\"iss\":\"%s\",\"sub\":\"%s\",\"iat\":5,\"nats\":{\"limits\":{\"subs\":-1},\"future\":{\"a\":[1]},"
                        + "\"type\":\"account\",\"version\":2}}";
        String token = signedByHand("ed25519-nkey", payload.formatted(operator.publicKey(), account.publicKey()));
        AccountClaims claims = JwtDecoder.decodeAccount(token);

        String again = JwtEncoder.encode(claims.toBuilder().description("new").build(), operator, 6);
        Map<String, Object> body = JSONObjectUtils.getJSONObject(payload(again), "nats");
        assertThat(body.get("future")).isEqualTo(Map.of("a", List.of(1L)));
        assertThat(body.get("description")).isEqualTo("new");
    }

    @Test
    void refusesAForgedSignatureAndAChangedPayload() {
        String token = userToken();
        String[] parts = token.split("\\.");
        String changed = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8).replace("\"app\"", "\"ape\"");
        String forged = parts[0] + "." + url(changed.getBytes(UTF_8)) + "." + parts[2];

        assertThatThrownBy(() -> JwtDecoder.decode(forged))
                .isInstanceOf(InvalidTokenException.class)
                .hasMessageContaining("signature");
        try (NKeyPair other = NKeyPair.generate(KeyType.ACCOUNT, random)) {
            String signed =
                    parts[0] + "." + parts[1] + "." + url(other.sign((parts[0] + "." + parts[1]).getBytes(US_ASCII)));
            assertThatThrownBy(() -> JwtDecoder.decode(signed)).hasMessageContaining("signature");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "EdDSA", "ed25519-nkey2"})
    void refusesOtherAlgorithms(String algorithm) {
        String payload = payloadText(userToken());
        assertThatThrownBy(() -> JwtDecoder.decode(signedByHand(algorithm, payload)))
                .isInstanceOf(InvalidTokenException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "a.b.c", "eyJ.eyJ.x", "not a token", "eyJhbGciOiJlZDI1NTE5LW5rZXkifQ.W10.AA"})
    void refusesWhatIsNoToken(String text) {
        assertThatThrownBy(() -> JwtDecoder.decode(text)).isInstanceOf(InvalidTokenException.class);
    }

    @Test
    void refusesEveryCutOfAToken() {
        String token = userToken();
        for (int end = 0; end < token.length(); end++) {
            String cut = token.substring(0, end);
            assertThatThrownBy(() -> JwtDecoder.decode(cut)).isInstanceOf(InvalidTokenException.class);
        }
    }

    @Test
    void refusesIssuersOfTheWrongKind() {
        String body = "{\"iss\":\"%s\",\"sub\":\"%s\",\"nats\":{\"type\":\"%s\",\"version\":2}}";
        assertThatThrownBy(() -> JwtDecoder.decode(
                        signedByHand("ed25519-nkey", body.formatted(operator.publicKey(), user.publicKey(), "user"))))
                .hasMessageContaining("prefixes");
        assertThatThrownBy(() -> JwtDecoder.decode(signedByHand(
                        "ed25519-nkey", body.formatted(operator.publicKey(), user.publicKey(), "account"))))
                .hasMessageContaining("subject");
        UserClaims claims = UserClaims.of(user.publicKey(), "app", account.publicKey(), UserLimits.SCOPED, List.of());
        assertThatThrownBy(() -> JwtEncoder.encode(claims, operator, NOW)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesANewerVersion() {
        String body = "{\"iss\":\"%s\",\"sub\":\"%s\",\"nats\":{\"type\":\"operator\",\"version\":3}}"
                .formatted(operator.publicKey(), operator.publicKey());
        assertThatThrownBy(() -> JwtDecoder.decode(signedByHand("ed25519-nkey", body)))
                .hasMessageContaining("newer version");
    }

    @Test
    void readsTokensOfTheOldForm() throws Exception {
        String payload = url(
                ("{\"iss\":\"%s\",\"sub\":\"%s\",\"name\":\"old\",\"type\":\"user\",\"nats\":{\"pub\":{},\"sub\":{},"
                                + "\"src\":\"10.0.0.0/8, 192.168.0.0/16\",\"payload\":1024}}")
                        .formatted(account.publicKey(), user.publicKey())
                        .getBytes(UTF_8));
        String header = url("{\"typ\":\"jwt\",\"alg\":\"ed25519\"}".getBytes(UTF_8));
        String token = header + "." + payload + "." + url(account.sign(payload.getBytes(US_ASCII)));

        UserClaims claims = JwtDecoder.decodeUser(token);
        assertThat(claims.version()).isEqualTo(1);
        assertThat(claims.limits().sources()).containsExactly("10.0.0.0/8", "192.168.0.0/16");
        assertThat(claims.limits().payload()).isEqualTo(1024);
        assertThat(claims.limits().subscriptions()).isEqualTo(-1);
    }

    @Test
    void tellsExpiredAndEarlyTokens() {
        UserClaims claims = UserClaims.of(user.publicKey(), "app", account.publicKey(), UserLimits.SCOPED, List.of())
                .withRegistered(Registered.about(user.publicKey(), "app")
                        .expiringAt(NOW)
                        .startingAt(NOW - 60));
        assertThat(claims.validate(Instant.ofEpochSecond(NOW)).isEmpty()).isTrue();
        assertThat(claims.validate(Instant.ofEpochSecond(NOW + 1)).isBlocking(true))
                .isTrue();
        assertThat(claims.validate(Instant.ofEpochSecond(NOW + 1)).isBlocking(false))
                .isFalse();
        assertThat(claims.validate(Instant.ofEpochSecond(NOW - 61)).isBlocking(true))
                .isTrue();
    }

    @Test
    void aScopedUserCarriesNothing() throws Exception {
        Map<String, Object> body = JSONObjectUtils.getJSONObject(payload(userToken()), "nats");
        assertThat(body.keySet()).containsExactlyInAnyOrder("pub", "sub", "issuer_account", "tags", "type", "version");
        assertThat(body.get("tags")).isEqualTo(List.of("team:red"));
    }

    @Test
    void voidsTokensIssuedInTheSecondOfTheRevocation() {
        AccountClaims claims = AccountClaims.builder(account.publicKey(), "a")
                .revocations(Map.of(user.publicKey(), NOW))
                .build();
        assertThat(claims.isRevoked(user.publicKey(), NOW)).isTrue();
        assertThat(claims.isRevoked(user.publicKey(), NOW + 1)).isFalse();
        assertThat(claims.isRevoked(account.publicKey(), NOW)).isFalse();
        AccountClaims all = claims.toBuilder().revocations(Map.of("*", NOW)).build();
        assertThat(all.isRevoked(user.publicKey(), NOW - 1)).isTrue();
    }

    private String userToken() {
        return JwtEncoder.encode(
                UserClaims.of(user.publicKey(), "app", account.publicKey(), UserLimits.SCOPED, List.of("Team:Red")),
                account,
                NOW);
    }

    /** Signed by whichever key the payload names, so that only the tested property is wrong. */
    private String signedByHand(String algorithm, String payload) {
        String input = url(("{\"typ\":\"JWT\",\"alg\":\"" + algorithm + "\"}").getBytes(UTF_8)) + "."
                + url(payload.getBytes(UTF_8));
        NKeyPair signer = payload.contains("\"iss\":\"" + account.publicKey()) ? account : operator;
        return input + "." + url(signer.sign(input.getBytes(US_ASCII)));
    }

    private static String payloadText(String token) {
        return new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), UTF_8);
    }

    private static Map<String, Object> payload(String token) throws ParseException {
        return JSONObjectUtils.parse(payloadText(token));
    }

    private static String url(byte[] data) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(data);
    }

    private static String fixture(String name) throws IOException {
        try (InputStream in = JwtTest.class.getResourceAsStream("/tokens/" + name + ".jwt")) {
            return new String(in.readAllBytes(), US_ASCII).strip();
        }
    }
}
