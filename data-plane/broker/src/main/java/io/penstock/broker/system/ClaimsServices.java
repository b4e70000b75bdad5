package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.resolver.AccountResolver;
import io.penstock.broker.resolver.ClaimsException;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.GenericClaims;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes and gives account JWTs over the system account. An update is answered only when it is durable and in force.
 * Everything here runs on the account directory's thread.
 */
final class ClaimsServices {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimsServices.class);
    private static final int OK = 200;
    private static final int FAILED = 500;
    private static final byte[] EMPTY = {};
    private static final long UNKNOWN_AFTER_MILLIS = 500;

    private final Broker broker;
    private final AccountDirectory directory;
    private final AccountResolver resolver;
    private final Account system;
    private final ServerInfo server;
    private final ReplySender replies;
    private final SystemServices services;
    private final ScheduledExecutorService executor;

    ClaimsServices(
            Broker broker,
            AccountDirectory directory,
            Account system,
            ServerInfo server,
            ReplySender replies,
            SystemServices services,
            ScheduledExecutorService executor) {
        this.broker = broker;
        this.directory = directory;
        this.resolver = directory.resolver();
        this.system = system;
        this.server = server;
        this.replies = replies;
        this.services = services;
        this.executor = executor;
    }

    void start() {
        subscribe("$SYS.REQ.ACCOUNT.*.CLAIMS.UPDATE", null, question -> update(question, question.token(3)));
        subscribe("$SYS.ACCOUNT.*.CLAIMS.UPDATE", null, question -> update(question, question.token(2)));
        subscribe("$SYS.REQ.ACCOUNT.*.CLAIMS.LOOKUP", null, this::lookup);
        subscribe("$SYS.REQ.CLAIMS.UPDATE", null, question -> update(question, null));
        if (resolver.keepsAll()) {
            subscribe("$SYS.REQ.CLAIMS.LIST", null, this::list);
            subscribe("$SYS.REQ.CLAIMS.DELETE", null, this::delete);
            ClaimsSync sync = new ClaimsSync(broker, directory, system, replies, services, executor);
            subscribe("$SYS.REQ.CLAIMS.PACK", "responder", question -> sync.pack(question, false));
            sync.start();
        }
    }

    private void subscribe(String pattern, String queue, SystemServices.Handler handler) {
        var _ = system.subscribe(pattern, queue, services.target(handler, executor));
    }

    /** @param named account of the subject, or null when the JWT alone says whose it is */
    private void update(Question question, String named) {
        String jwt = new String(question.body(), StandardCharsets.US_ASCII).strip();
        if (jwt.isEmpty() && !resolver.keepsAll()) {
            respond(question, named == null ? "n/a" : named, "jwt update error", "request body is empty");
            return;
        }
        AccountClaims claims;
        try {
            claims = AccountDirectory.decode(jwt);
        } catch (ClaimsException e) {
            respond(question, "n/a", "jwt update resulted in error", e.getMessage());
            return;
        }
        String account = claims.subject();
        if (named != null && !named.equals(account)) {
            respond(question, named, "jwt update resulted in error", "subject does not match jwt content");
            return;
        }
        if (directory.trust().isForbiddenIdentity(claims.issuer())) {
            respond(question, account, "jwt update resulted in error", "operator requires issuer to be a signing key");
            return;
        }
        try {
            directory.validate(claims);
        } catch (ClaimsException e) {
            respond(question, account, "jwt validation failed", e.getMessage());
            return;
        }
        try {
            boolean inForce = directory.update(claims, jwt);
            boolean skipped = !inForce && !resolver.keepsAll();
            respond(question, account, skipped ? "jwt update skipped" : "jwt updated", null);
        } catch (ClaimsException | IOException e) {
            respond(question, account, "jwt update resulted in error", e.getMessage());
        }
    }

    private void respond(Question question, String account, String message, String failure) {
        ObjectNode status = Json.object();
        Json.putPresent(status, "account", account);
        ObjectNode reply = Json.object();
        reply.set("server", server.next());
        if (failure == null) {
            LOG.debug("{} - {}", message, account);
            reply.set("data", status.put("code", OK).put("message", message));
        } else {
            LOG.error("{} - {} - {}", message, account, failure);
            reply.set("error", status.put("code", FAILED).put("description", message + " - " + failure));
        }
        replies.raw(question, Json.bytes(reply));
    }

    private void lookup(Question question) throws SystemRequestException {
        try {
            Optional<String> jwt = resolver.fetch(question.token(3));
            if (jwt.isPresent()) {
                replies.raw(question, jwt.get().getBytes(StandardCharsets.US_ASCII));
            } else if (broker.cluster().nodes().isEmpty()) {
                replies.raw(question, EMPTY);
            } else {
                // A node that has it must be heard first.
                var _ = executor.schedule(
                        () -> replies.raw(question, EMPTY), UNKNOWN_AFTER_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (IOException e) {
            // Silence tells the asker to try elsewhere; an empty reply would say that there is no such account.
            LOG.error("looking up account {} failed", question.token(3), e);
        }
    }

    private void list(Question question) {
        try {
            ArrayNode ids = Json.array();
            resolver.accounts().forEach(ids::add);
            replies.data(question, ids);
        } catch (IOException e) {
            LOG.error("listing accounts failed", e);
        }
    }

    private void delete(Question question) {
        String jwt = new String(question.body(), StandardCharsets.US_ASCII).strip();
        String subject = "";
        List<String> accounts;
        try {
            GenericClaims claims = generic(jwt);
            subject = claims.subject();
            accounts = accountsToDelete(claims);
        } catch (SystemRequestException e) {
            respond(question, "", "delete accounts request by " + subject + " failed", e.getMessage());
            return;
        }
        List<String> failures = new ArrayList<>();
        int deleted = 0;
        for (String account : accounts) {
            try {
                if (directory.delete(account)) {
                    deleted++;
                } else {
                    failures.add("account " + account + " is not known");
                }
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
        }
        if (failures.isEmpty()) {
            respond(question, "", "deleted " + deleted + " accounts", null);
        } else {
            respond(
                    question,
                    "",
                    "deleted " + deleted + " accounts, failed for " + failures.size(),
                    String.join("\n", failures));
        }
    }

    private static GenericClaims generic(String jwt) throws SystemRequestException {
        try {
            if (JwtDecoder.decode(jwt) instanceof GenericClaims claims) {
                return claims;
            }
            throw new SystemRequestException(FAILED, "malformed request");
        } catch (InvalidTokenException e) {
            throw new SystemRequestException(FAILED, e.getMessage());
        }
    }

    private List<String> accountsToDelete(GenericClaims claims) throws SystemRequestException {
        if (!resolver.allowsDelete()) {
            throw new SystemRequestException(FAILED, "delete must be enabled in server config");
        }
        if (!claims.subject().equals(claims.issuer())) {
            throw new SystemRequestException(FAILED, "not self signed");
        }
        if (!directory.trust().trusts(claims.issuer())) {
            throw new SystemRequestException(FAILED, "not trusted");
        }
        if (!(claims.data().get("accounts") instanceof List<?> list)) {
            throw new SystemRequestException(FAILED, "malformed request");
        }
        List<String> accounts = new ArrayList<>();
        for (Object entry : list) {
            if (!(entry instanceof String account) || !NKeys.isPublicKey(KeyType.ACCOUNT, account)) {
                throw new SystemRequestException(FAILED, "malformed request");
            }
            if (account.equals(system.name())) {
                throw new SystemRequestException(FAILED, "not allowed to delete system account");
            }
            accounts.add(account);
        }
        return accounts;
    }
}
