package io.penstock.broker.auth;

import io.penstock.broker.AuthResult;
import io.penstock.broker.BrokerEvents;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.Identity;
import io.penstock.broker.permission.Permissions;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.resolver.ClaimsListener;
import io.penstock.broker.resolver.LoadedAccount;
import io.penstock.claims.InvalidTokenException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Holds live connections to what their account says now: a user that has been revoked, or whose signing key is gone, is
 * closed; one whose scope, limits or end have changed gets the new ones.
 */
final class LiveUsers implements ClaimsListener, BrokerEvents {
    private static final String REVOKED = "User Authentication Revoked";

    /** Far longer than claims take from their date to being in force. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    private final AccountDirectory accounts;
    private final UserVerifier verifier;
    private final VerifiedTokens tokens;
    private final InstantSource clock;
    private final Executor executor;

    LiveUsers(
            AccountDirectory accounts,
            UserVerifier verifier,
            VerifiedTokens tokens,
            InstantSource clock,
            Executor executor) {
        this.accounts = accounts;
        this.verifier = verifier;
        this.tokens = tokens;
        this.clock = clock;
        this.executor = executor;
    }

    @Override
    public void applied(LoadedAccount account, boolean first) {
        for (Connection connection : List.copyOf(account.account().connections())) {
            recheck(connection, account);
        }
    }

    // Claims that came into force while this connection was being authenticated have not seen it. They are dated before
    // they are there for others to find, so a connection that is a little younger may still have met the old ones.
    @Override
    public void connected(Connection connection) {
        LoadedAccount account = connection.account() == null
                ? null
                : accounts.find(connection.account().name());
        if (account != null && !account.applied().plus(SETTLING).isBefore(connection.started())) {
            executor.execute(() -> recheck(connection, account));
        }
    }

    private void recheck(Connection connection, LoadedAccount account) {
        Identity identity = connection.identity();
        if (identity == null || identity.jwt() == null || connection.isClosed()) {
            return;
        }
        Instant now = clock.instant();
        if (account.isExpired(now)) {
            connection.close(ClosedReason.AUTHENTICATION_EXPIRED, Identity.ACCOUNT_EXPIRED);
            return;
        }
        try {
            AuthResult.Accepted fresh = verifier.admit(
                    tokens.decode(identity.jwt()), identity.jwt(), account, null, connection.info(), now);
            if (!same(fresh.permissions(), connection.permissions())) {
                connection.updatePermissions(fresh.permissions());
            }
            if (!fresh.limits().equals(connection.limits())) {
                connection.updateLimits(fresh.limits());
            }
            if (!Objects.equals(fresh.identity(), identity)) {
                connection.updateIdentity(fresh.identity());
            }
        } catch (RefusedException.Revoked e) {
            connection.close(ClosedReason.REVOKED, REVOKED);
        } catch (RefusedException | InvalidTokenException e) {
            connection.close(ClosedReason.AUTHENTICATION_FAILURE, AuthResult.VIOLATION);
        }
    }

    static boolean same(Permissions one, Permissions other) {
        return one.publish().equals(other.publish())
                && one.subscribe().equals(other.subscribe())
                && Objects.equals(one.responses(), other.responses());
    }
}
