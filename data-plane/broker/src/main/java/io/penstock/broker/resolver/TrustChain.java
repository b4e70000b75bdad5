package io.penstock.broker.resolver;

import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import io.penstock.claims.OperatorClaims;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whose signature on account JWTs counts.
 *
 * @param operators claims of the operators, empty when only keys are configured
 * @param keys public keys that may sign accounts
 * @param systemAccount the operators' system account, or empty
 */
public record TrustChain(List<OperatorClaims> operators, Set<String> keys, String systemAccount) {
    public TrustChain {
        operators = List.copyOf(operators);
        keys = Set.copyOf(keys);
    }

    /**
     * Reads operator JWTs, or takes bare keys.
     *
     * @param serverVersion ours, for operators that demand one
     * @throws IllegalArgumentException saying what is wrong and how to mend it
     */
    public static TrustChain of(
            List<String> operatorJwts, List<String> trustedKeys, String serverVersion, Instant now) {
        if (!operatorJwts.isEmpty() && !trustedKeys.isEmpty()) {
            throw new IllegalArgumentException(
                    "operator and trusted_keys exclude each other; keep one of them (an operator JWT names its keys)");
        }
        Set<String> keys = new HashSet<>();
        for (String key : trustedKeys) {
            if (!NKeys.isPublicKey(KeyType.OPERATOR, key)) {
                throw new IllegalArgumentException(
                        "trusted_keys: \"" + key + "\" is not a public operator key; it begins with O");
            }
            keys.add(key);
        }
        List<OperatorClaims> operators = new ArrayList<>();
        String systemAccount = "";
        for (String jwt : operatorJwts) {
            OperatorClaims operator = read(jwt, serverVersion, now);
            operators.add(operator);
            keys.addAll(operator.signingKeys());
            if (!operator.strictSigningKeyUsage()) {
                keys.add(operator.subject());
            }
            if (systemAccount.isEmpty()) {
                systemAccount = operator.systemAccount();
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("the operator JWT names no key that may sign accounts: it has no signing"
                    + " keys and forbids its identity key; add a signing key to the operator");
        }
        return new TrustChain(operators, keys, systemAccount);
    }

    private static OperatorClaims read(String jwt, String serverVersion, Instant now) {
        OperatorClaims operator;
        try {
            operator = JwtDecoder.decodeOperator(jwt.strip());
        } catch (InvalidTokenException e) {
            throw new IllegalArgumentException("operator: not a valid operator JWT: " + e.getMessage(), e);
        }
        if (operator.validate(now).isBlocking(true)) {
            throw new IllegalArgumentException(
                    "operator " + operator.subject() + " cannot be used: " + operator.validate(now));
        }
        String wanted = operator.assertServerVersion();
        if (!wanted.isEmpty() && isNewer(wanted, serverVersion)) {
            throw new IllegalArgumentException("operator " + operator.subject() + " expects server version " + wanted
                    + " or newer, this one is " + serverVersion);
        }
        return operator;
    }

    private static boolean isNewer(String wanted, String have) {
        String[] left = wanted.split("\\.");
        String[] right = have.split("[.-]");
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int difference = Integer.compare(Integer.parseInt(left[i]), Integer.parseInt(right[i]));
            if (difference != 0) {
                return difference > 0;
            }
        }
        return false;
    }

    public boolean trusts(String issuer) {
        return keys.contains(issuer);
    }

    /**
     * Whether identity keys count for nothing below this operator key: then an account's users must be signed by one of
     * the account's signing keys.
     */
    public boolean demandsSigningKeys(String operatorKey) {
        return operators.stream()
                .anyMatch(operator -> operator.strictSigningKeyUsage()
                        && operator.signingKeys().contains(operatorKey));
    }

    /** Whether this is an identity key whose operator wants signing keys to be used. */
    public boolean isForbiddenIdentity(String issuer) {
        return operators.stream()
                .anyMatch(operator ->
                        operator.strictSigningKeyUsage() && operator.subject().equals(issuer));
    }
}
