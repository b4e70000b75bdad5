package io.penstock.broker.testing;

import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthorizationConfig;
import io.penstock.broker.auth.OperatorConfig;
import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.Claims;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.OperatorClaims;
import io.penstock.claims.Registered;
import io.penstock.claims.UserClaims;
import io.penstock.claims.UserLimits;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An operator with a system account, which makes accounts and users. */
public final class TestingOperator {
    private static final SecureRandom RANDOM = new SecureRandom();

    public final NKeyPair identity = pair(KeyType.OPERATOR);
    public final NKeyPair signing = pair(KeyType.OPERATOR);
    public final NKeyPair system = pair(KeyType.ACCOUNT);
    public final NKeyPair systemUser = pair(KeyType.USER);
    private final Map<String, String> preload = new HashMap<>();
    private boolean strict;

    public TestingOperator() {
        preload.put(
                system.publicKey(),
                sign(AccountClaims.builder(system.publicKey(), "SYS").build()));
    }

    public static NKeyPair pair(KeyType type) {
        return NKeyPair.generate(type, RANDOM);
    }

    public static long now() {
        return Instant.now().getEpochSecond();
    }

    /** An account JWT signed by the operator's signing key. */
    public String sign(Claims claims) {
        return sign(claims, now());
    }

    public String sign(Claims claims, long issuedAt) {
        return JwtEncoder.encode(claims, signing, issuedAt);
    }

    /** Makes the account known from the start. */
    public TestingOperator preload(NKeyPair account, AccountClaims claims) {
        preload.put(account.publicKey(), sign(claims));
        return this;
    }

    /** From now on only signing keys count: the operator's and the accounts'. */
    public TestingOperator strict() {
        strict = true;
        return this;
    }

    /** Leaves the system account's JWT out, as on a server's very first start. */
    public TestingOperator withoutSystemJwt() {
        preload.remove(system.publicKey());
        return this;
    }

    public String operatorJwt() {
        OperatorClaims claims = new OperatorClaims(
                Registered.about(identity.publicKey(), "testing"),
                2,
                List.of(),
                List.of(signing.publicKey()),
                "",
                List.of(),
                system.publicKey(),
                "",
                strict,
                Map.of());
        return JwtEncoder.encode(claims, identity, now());
    }

    public AuthConfig config(ResolverConfig resolver, String... pinned) {
        OperatorConfig operator =
                new OperatorConfig(List.of(operatorJwt()), List.of(), resolver, preload, List.of(pinned), null);
        return new AuthConfig(AuthorizationConfig.NONE, List.of(), List.of(), null, null, false, operator);
    }

    /** CONNECT fields of the system user. */
    public String systemLogin(String nonce) {
        return login(user(systemUser, system, null, UserLimits.UNLIMITED), systemUser, nonce);
    }

    /** A user JWT signed by the account or, for it, by a signing key. */
    public static String user(NKeyPair user, NKeyPair account, NKeyPair signingKey, UserLimits limits) {
        return encode(claims(user, account, limits), signingKey == null ? account : signingKey);
    }

    public static UserClaims claims(NKeyPair user, NKeyPair account, UserLimits limits) {
        return UserClaims.of(user.publicKey(), "w1", account.publicKey(), limits, List.of("team:red"));
    }

    public static String encode(Claims claims, NKeyPair signer) {
        return JwtEncoder.encode(claims, signer, now());
    }

    /** CONNECT fields for a JWT and the signature of a nonce. */
    public static String login(String jwt, NKeyPair user, String nonce) {
        return "\"jwt\":\"" + jwt + "\",\"sig\":\"" + signature(user, nonce) + "\"";
    }

    public static String signature(NKeyPair user, String nonce) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(user.sign(nonce.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Opens a connection of a user, not yet known whether it is admitted. */
    public static TestingWire dial(int port, String jwt, NKeyPair user) throws Exception {
        TestingWire wire = TestingWire.open(port);
        wire.send(
                "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true,\"protocol\":1,"
                        + login(jwt, user, wire.nonce()) + "}");
        return wire;
    }

    /** A connection of the system user. */
    public TestingWire dialSystem(int port) throws Exception {
        TestingWire wire = dial(port, user(systemUser, system, null, UserLimits.UNLIMITED), systemUser);
        wire.flush();
        return wire;
    }
}
