package io.penstock.broker.auth;

import io.penstock.broker.AccountRegistry;
import io.penstock.broker.AuthResult;
import io.penstock.broker.Authenticator;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.Identity;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Authenticates against users, nkeys and tokens of the configuration. Immutable; safe from any thread. */
final class ConfigAuthenticator implements Authenticator {
    /** Shown instead of a token. */
    private static final String REDACTED = "[REDACTED]";

    private final AuthorizationConfig authorization;
    private final ConfiguredUsers users;
    private final AccountRegistry accounts;
    private final Executor executor;
    private final String noAuthUser;
    // Only the system account has users, so everybody else stays welcome in $G.
    private final boolean openGlobalAccount;
    private final Permissions singlePermissions;

    /** @param executor takes the work that would hold up an event loop: bcrypt and signatures */
    ConfigAuthenticator(AuthConfig config, AccountRegistry accounts, Executor executor) throws AuthConfigException {
        this.authorization = config.authorization();
        this.users = ConfiguredUsers.of(config);
        this.accounts = accounts;
        this.executor = executor;
        this.noAuthUser = config.noAuthUser();
        String system = config.systemAccount() == null ? AuthConfig.DEFAULT_SYSTEM_ACCOUNT : config.systemAccount();
        boolean onlySystemAccount =
                config.accounts().stream().allMatch(account -> account.name().equals(system));
        this.openGlobalAccount = noAuthUser == null
                && authorization.user() == null
                && authorization.token() == null
                && onlySystemAccount
                && users.onlyIn(system);
        validate();
        PermissionRules.validate(authorization.permissions(), "the authorization block");
        this.singlePermissions =
                PermissionRules.compile(authorization.permissions(), authorization.defaultPermissions());
    }

    private void validate() throws AuthConfigException {
        if (authorization.token() != null && (authorization.user() != null || !users.isEmpty())) {
            throw new AuthConfigException("Cannot have a token and users in one configuration; keep one of them");
        }
        if (authorization.user() != null && authorization.password() == null && !authorization.mapTlsCertificates()) {
            throw new AuthConfigException(
                    "authorization names the user \"" + authorization.user() + "\" without a password; add password");
        }
        if (noAuthUser != null && users.named(noAuthUser) == null && users.withNkey(noAuthUser) == null) {
            throw new AuthConfigException("no_auth_user: \"" + noAuthUser + "\" not present as user or nkey in"
                    + " authorization or accounts; name a user that is");
        }
    }

    private boolean required() {
        return !users.isEmpty() || authorization.user() != null || authorization.token() != null;
    }

    @Override
    public boolean announcesAuthentication(ConnectionType type) {
        return required() && noAuthUser == null;
    }

    @Override
    public boolean needsNonce() {
        return users.hasNkeys();
    }

    @Override
    public boolean acceptsImplicit(ConnectionType type) {
        return !required() || noAuthUser != null || openGlobalAccount;
    }

    @Override
    public void authenticate(ConnectRequest request, ConnectionInfo connection, Consumer<AuthResult> answer) {
        if (request.hasAccount()) {
            answer.accept(AuthResult.violation("CONNECT names an account, which is obsolete"));
        } else if (!required()) {
            answer.accept(accept(AuthConfig.GLOBAL_ACCOUNT, Identity.ANONYMOUS, Permissions.ALL));
        } else if (isSlow(request)) {
            try {
                executor.execute(() -> answer.accept(decide(request, connection)));
            } catch (RejectedExecutionException e) {
                answer.accept(AuthResult.violation("too many connections are being authenticated"));
            }
        } else {
            answer.accept(decide(request, connection));
        }
    }

    private boolean isSlow(ConnectRequest request) {
        if (request.nkey() != null || users.decoyHash() != null) {
            return true;
        }
        return isHashed(authorization.password()) || isHashed(authorization.token());
    }

    private static boolean isHashed(String secret) {
        return secret != null && Secrets.isHashed(secret);
    }

    private AuthResult decide(ConnectRequest request, ConnectionInfo connection) {
        try {
            String defaultUser = connection.listenerNoAuthUser() != null ? connection.listenerNoAuthUser() : noAuthUser;
            boolean anonymous = isAnonymous(request);
            if (anonymous && defaultUser != null && users.withNkey(defaultUser) != null) {
                return acceptUser(users.withNkey(defaultUser), connection);
            }
            if (request.nkey() != null && users.hasNkeys()) {
                return byNkey(request, connection);
            }
            if (users.hasNames() && mapsCertificate(connection)) {
                return byCertificate(connection);
            }
            if (anonymous && defaultUser != null && users.named(defaultUser) != null) {
                return acceptUser(users.named(defaultUser), connection);
            }
            if (anonymous && openGlobalAccount) {
                return accept(AuthConfig.GLOBAL_ACCOUNT, Identity.ANONYMOUS, Permissions.ALL);
            }
            return bySecret(request, connection);
        } catch (RefusedException e) {
            return AuthResult.violation(e.getMessage());
        }
    }

    private static boolean isAnonymous(ConnectRequest request) {
        return isAbsent(request.user())
                && isAbsent(request.password())
                && isAbsent(request.token())
                && isAbsent(request.nkey());
    }

    private static boolean isAbsent(String text) {
        return text == null || text.isEmpty();
    }

    private AuthResult byNkey(ConnectRequest request, ConnectionInfo connection) throws RefusedException {
        ConfiguredUsers.Entry entry = users.withNkey(request.nkey());
        if (entry == null) {
            throw new RefusedException("nkey " + request.nkey() + " is not configured");
        }
        NonceSignature.require(request.nkey(), connection.nonce(), request.signature());
        return acceptUser(entry, connection);
    }

    private boolean mapsCertificate(ConnectionInfo connection) {
        return authorization.mapTlsCertificates()
                && (connection.type() == ConnectionType.STANDARD || connection.type() == ConnectionType.LEAFNODE);
    }

    private AuthResult byCertificate(ConnectionInfo connection) throws RefusedException {
        if (connection.peerCertificates().isEmpty()) {
            throw new RefusedException("verify_and_map is on and the client showed no certificate");
        }
        String user = CertificateNames.match(
                connection.peerCertificates().getFirst(), users.names().keySet());
        if (user == null) {
            throw new RefusedException("no user has a name of the certificate of "
                    + connection.peerCertificates().getFirst().getSubjectX500Principal());
        }
        return acceptUser(users.named(user), connection);
    }

    private AuthResult bySecret(ConnectRequest request, ConnectionInfo connection) throws RefusedException {
        ConfiguredUsers.Entry entry = request.user() == null ? null : users.named(request.user());
        if (entry != null) {
            String password = entry.config().password();
            // A user without a password is known by its certificate alone.
            if (password == null || !Secrets.matches(password, request.password())) {
                throw new RefusedException("wrong password for user " + request.user());
            }
            return acceptUser(entry, connection);
        }
        if (authorization.token() != null) {
            if (!Secrets.matches(authorization.token(), request.token())) {
                throw new RefusedException("wrong token");
            }
            return accept(AuthConfig.GLOBAL_ACCOUNT, Identity.ofUser(REDACTED), singlePermissions);
        }
        if (authorization.user() != null && authorization.user().equals(request.user())) {
            if (authorization.password() == null || !Secrets.matches(authorization.password(), request.password())) {
                throw new RefusedException("wrong password for user " + request.user());
            }
            return accept(AuthConfig.GLOBAL_ACCOUNT, Identity.ofUser(request.user()), singlePermissions);
        }
        if (users.decoyHash() != null) {
            Secrets.spendTime(users.decoyHash(), request.password());
        }
        throw new RefusedException(
                isAnonymous(request) ? "no credentials were given" : "unknown user " + request.user());
    }

    private AuthResult acceptUser(ConfiguredUsers.Entry entry, ConnectionInfo connection) throws RefusedException {
        UserConfig user = entry.config();
        String name = user.nkey() != null ? user.nkey() : user.user();
        if (!ConnectionTypes.allow(user.connectionTypes(), connection.type())) {
            throw new RefusedException("user " + name + " may not connect by " + connection.type());
        }
        if (user.proxyRequired()) {
            return new AuthResult.Rejected(
                    AuthResult.VIOLATION,
                    ClosedReason.PROXY_REQUIRED,
                    "user " + name + " must come through a trusted proxy");
        }
        Identity identity = new Identity(name, user.nkey(), null, null, null, List.of(), null, Identity.USER_EXPIRED);
        return accept(entry.account(), identity, entry.permissions());
    }

    private AuthResult accept(String account, Identity identity, Permissions permissions) {
        return new AuthResult.Accepted(accounts.getOrCreate(account), identity, permissions, UserLimits.UNLIMITED);
    }
}
