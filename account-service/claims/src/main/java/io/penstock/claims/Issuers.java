package io.penstock.claims;

import java.util.Set;

/** Which kinds of key may sign which claims. */
final class Issuers {
    private Issuers() {}

    static Set<KeyType> allowedFor(Claims claims) {
        return switch (claims) {
            case OperatorClaims _ -> Set.of(KeyType.OPERATOR);
            case AccountClaims _ -> Set.of(KeyType.OPERATOR, KeyType.ACCOUNT);
            case UserClaims _ -> Set.of(KeyType.ACCOUNT);
            case ActivationClaims _ -> Set.of(KeyType.ACCOUNT);
            case GenericClaims c ->
                switch (c.type()) {
                    case "authorization_request" -> Set.of(KeyType.SERVER);
                    case "authorization_response" -> Set.of(KeyType.ACCOUNT);
                    default -> Set.of(KeyType.values());
                };
        };
    }

    static Set<KeyType> subjectsOf(Claims claims) {
        return switch (claims) {
            case OperatorClaims _ -> Set.of(KeyType.OPERATOR);
            case AccountClaims _ -> Set.of(KeyType.ACCOUNT);
            case UserClaims _ -> Set.of(KeyType.USER);
            case ActivationClaims _ -> Set.of(KeyType.ACCOUNT);
            case GenericClaims _ -> Set.of(KeyType.values());
        };
    }
}
