package io.penstock.broker.auth;

import io.penstock.broker.AuthResult;
import io.penstock.broker.Authenticator;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.resolver.LoadedAccount;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.UserClaims;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Authenticates user JWTs against accounts signed by a trusted operator. Safe from any thread. */
final class OperatorAuthenticator implements Authenticator {
    private final AccountDirectory accounts;
    private final UserVerifier verifier;
    private final VerifiedTokens tokens;
    private final Set<String> pinned;
    private final String sentinel;
    private final InstantSource clock;
    private final Executor executor;
    private final LongAdder pinnedFailures = new LongAdder();

    /** @param executor where signatures are verified, away from the event loops */
    OperatorAuthenticator(
            AccountDirectory accounts,
            UserVerifier verifier,
            VerifiedTokens tokens,
            List<String> pinned,
            String sentinel,
            InstantSource clock,
            Executor executor) {
        this.accounts = accounts;
        this.verifier = verifier;
        this.tokens = tokens;
        this.pinned = Set.copyOf(pinned);
        this.sentinel = sentinel;
        this.clock = clock;
        this.executor = executor;
    }

    @Override
    public boolean announcesAuthentication(ConnectionType type) {
        return true;
    }

    @Override
    public boolean needsNonce() {
        return true;
    }

    @Override
    public boolean acceptsImplicit(ConnectionType type) {
        return false;
    }

    long pinnedFailures() {
        return pinnedFailures.sum();
    }

    @Override
    public void authenticate(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer) {
        if (request.hasAccount()) {
            answer.accept(AuthResult.violation("CONNECT names an account, which is obsolete"));
            return;
        }
        try {
            executor.execute(() -> begin(request, connection, answer));
        } catch (RejectedExecutionException e) {
            answer.accept(AuthResult.violation("too many connections are being authenticated"));
        }
    }

    private void begin(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer) {
        try {
            Token token = decode(request);
            requirePinned(token.claims().account());
            var _ = accounts.lookup(token.claims().account())
                    .whenCompleteAsync(
                            (account, failure) -> answer.accept(
                                    failure == null
                                            ? finish(token, account, request, connection)
                                            : AuthResult.violation(
                                                    "account " + token.claims().account() + " cannot be used: "
                                                            + failure.getMessage())),
                            executor);
        } catch (ProxyRequiredException e) {
            answer.accept(new AuthResult.Rejected(AuthResult.VIOLATION, ClosedReason.PROXY_REQUIRED, e.getMessage()));
        } catch (RefusedException e) {
            answer.accept(AuthResult.violation(e.getMessage()));
        } catch (RuntimeException e) {
            // A connection must get its answer whatever happens, or it would hold its slot until the timer ends it.
            answer.accept(AuthResult.violation("authentication failed: " + e));
        }
    }

    private record Token(String jwt, UserClaims claims) {}

    private static final class ProxyRequiredException extends RefusedException {
        private static final long serialVersionUID = 1L;

        ProxyRequiredException(String reason) {
            super(reason);
        }
    }

    private Token decode(ConnectRequest request) throws RefusedException {
        Token token = token(request);
        if (token.claims().limits().proxyRequired()) {
            throw new ProxyRequiredException("user " + token.claims().subject() + " must come through a trusted proxy");
        }
        if (token.claims().validate(clock.instant()).isBlocking(true)) {
            throw new RefusedException("user JWT of " + token.claims().subject() + " is not valid: "
                    + token.claims().validate(clock.instant()));
        }
        return token;
    }

    private Token token(ConnectRequest request) throws RefusedException {
        String failure = "authentication requires a user JWT";
        if (request.jwt() != null && !request.jwt().isEmpty()) {
            try {
                return new Token(request.jwt(), tokens.decode(request.jwt()));
            } catch (InvalidTokenException e) {
                failure = "user JWT is not valid: " + e.getMessage();
            }
        }
        if (sentinel == null) {
            throw new RefusedException(failure);
        }
        try {
            return new Token(sentinel, tokens.decode(sentinel));
        } catch (InvalidTokenException e) {
            throw new RefusedException("default_sentinel is not a valid user JWT: " + e.getMessage());
        }
    }

    private void requirePinned(String account) throws RefusedException {
        if (!pinned.isEmpty() && !pinned.contains(account)) {
            pinnedFailures.increment();
            throw new RefusedException("account " + account + " is not among resolver_pinned_accounts");
        }
    }

    private AuthResult finish(Token token, LoadedAccount account, ConnectRequest request, ConnectionInfo connection) {
        try {
            return verifier.admit(token.claims(), token.jwt(), account, request, connection, clock.instant());
        } catch (RefusedException e) {
            return AuthResult.violation(e.getMessage());
        } catch (RuntimeException e) {
            return AuthResult.violation("authentication failed: " + e);
        }
    }
}
