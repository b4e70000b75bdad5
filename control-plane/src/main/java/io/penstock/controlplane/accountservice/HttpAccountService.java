package io.penstock.controlplane.accountservice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;

/** account-service over HTTP. The breaker opens when it fails half of ten calls, and lets one through after five seconds. */
@ApplicationScoped
@CircuitBreaker(requestVolumeThreshold = 10, failureRatio = 0.5, delay = 5000, skipOn = ProblemException.class)
public class HttpAccountService implements AccountService {
    /** Pages of the ledger that are read, newest first; a page has 100 entries. */
    private static final int MOST_LEDGER_PAGES = 20;

    @Inject
    Clock clock;

    @ConfigProperty(name = "penstock.account-service.url")
    URI url;

    @ConfigProperty(name = "penstock.statement.secret")
    String secret;

    private final ObjectMapper json = new ObjectMapper();
    private SignedHttp http;

    @PostConstruct
    void connect() {
        http = new SignedHttp(url, new Statements(Base64.getDecoder().decode(secret.trim()), json), json, clock);
    }

    @Override
    public AccountStatus putAccount(Reason why, String accountId, AccountSpec spec) {
        ObjectNode body = json.createObjectNode();
        body.put("generation", spec.generation());
        body.put("name", spec.name());
        body.set("limits", spec.limits());
        body.set("default_permissions", spec.defaultPermissions());
        body.set("exports", spec.exports());
        body.set("imports", spec.imports());
        body.set("mappings", spec.mappings());
        body.put("state", spec.state());
        return status(http.call(why, "PUT", "/accounts/" + accountId, body));
    }

    @Override
    public AccountStatus getAccount(Reason why, String accountId) {
        return status(http.call(why, "GET", "/accounts/" + accountId, null));
    }

    @Override
    public GroupStatus putGroup(Reason why, String accountId, String groupId, GroupSpec spec) {
        ObjectNode body = json.createObjectNode();
        body.put("role", spec.role());
        body.put("description", spec.description());
        body.set("template", spec.template());
        return groupStatus(groupId, http.call(why, "PUT", group(accountId, groupId), body));
    }

    @Override
    public GroupStatus rotateGroup(Reason why, String accountId, String groupId, long keepPreviousSeconds) {
        ObjectNode body = json.createObjectNode().put("keep_previous_seconds", keepPreviousSeconds);
        return groupStatus(groupId, http.call(why, "POST", group(accountId, groupId) + "/actions/rotate", body));
    }

    private static GroupStatus groupStatus(String groupId, JsonNode answer) {
        return new GroupStatus(
                groupId,
                text(answer, "public_key"),
                answer.hasNonNull("version") ? answer.get("version").asLong() : null,
                text(answer, "sync_state"));
    }

    @Override
    public void deleteAccount(Reason why, String accountId) {
        http.call(why, "DELETE", "/accounts/" + accountId, null);
    }

    @Override
    public void deleteGroup(Reason why, String accountId, String groupId) {
        http.call(why, "DELETE", group(accountId, groupId), null);
    }

    @Override
    public Issued issue(Reason why, String accountId, String groupId, IssueCommand command) {
        ObjectNode body = json.createObjectNode();
        body.put("user_id", command.userId());
        body.put("issuance_id", command.issuanceId());
        body.put("name", command.name());
        if (command.publicKey() != null) {
            body.put("public_key", command.publicKey());
        }
        ArrayNode tags = body.putArray("tags");
        command.tags().forEach(tags::add);
        body.put("ttl_seconds", command.ttlSeconds());
        body.put("channel", command.channel());
        body.put("issued_by", command.issuedBy());
        JsonNode answer = http.call(why, "POST", group(accountId, groupId) + "/issue", body);
        return new Issued(
                text(answer, "user_public_key"),
                text(answer, "jti"),
                text(answer, "jwt"),
                text(answer, "creds"),
                time(answer, "issued_at"),
                time(answer, "expires_at"));
    }

    @Override
    public Instant revoke(Reason why, String accountId, String userPublicKey, String reason, Instant before) {
        ObjectNode body = json.createObjectNode();
        body.put("user_public_key", userPublicKey);
        body.put("reason", reason == null ? "" : reason);
        if (before != null) {
            body.put("before", before.getEpochSecond());
        }
        JsonNode answer = http.call(why, "POST", "/accounts/" + accountId + "/revocations", body);
        return Instant.ofEpochSecond(answer.path("revoked_at").asLong());
    }

    @Override
    public void liftRevocation(Reason why, String accountId, String userPublicKey) {
        boolean there = revocations(why, accountId).stream()
                .anyMatch(one -> one.userPublicKey().equals(userPublicKey));
        if (there) {
            http.call(why, "DELETE", "/accounts/" + accountId + "/revocations/" + userPublicKey, null);
        }
    }

    @Override
    public List<Revocation> revocations(Reason why, String accountId) {
        List<Revocation> out = new ArrayList<>();
        for (JsonNode row :
                http.call(why, "GET", "/accounts/" + accountId, null).path("revocations")) {
            out.add(new Revocation(
                    text(row, "user_public_key"),
                    Instant.ofEpochSecond(row.path("revoked_at").asLong()),
                    row.path("reason").asText(""),
                    time(row, "created_at")));
        }
        out.sort(Comparator.comparing(Revocation::userPublicKey));
        return out;
    }

    @Override
    public String activate(Reason why, String accountId, ActivationCommand command) {
        ObjectNode body = json.createObjectNode();
        body.put("importer_public_key", command.importerPublicKey());
        body.put("subject", command.subject());
        body.put("type", command.type());
        body.put("not_before", command.notBefore());
        if (command.expiresAt() != null) {
            body.put("expires_at", command.expiresAt().getEpochSecond());
        }
        return text(http.call(why, "POST", "/accounts/" + accountId + "/activations", body), "token");
    }

    @Override
    public ManagementCredential managementCredential(Reason why, String accountId, int ttlSeconds) {
        ObjectNode body = json.createObjectNode();
        body.put("ttl_seconds", ttlSeconds);
        body.put("purpose", why.action());
        JsonNode answer = http.call(why, "POST", "/accounts/" + accountId + "/management-credential", body);
        return new ManagementCredential(text(answer, "jwt"), text(answer, "seed"), time(answer, "expires_at"));
    }

    @Override
    public List<LedgerEntry> ledger(Reason why, String accountId) {
        List<LedgerEntry> entries = new ArrayList<>();
        String cursor = "";
        for (int page = 0; page < MOST_LEDGER_PAGES && cursor != null; page++) {
            String query = cursor.isEmpty() ? "" : "?cursor=" + cursor;
            JsonNode answer = http.call(why, "GET", "/accounts/" + accountId + "/issuances" + query, null);
            for (JsonNode row : answer.path("data")) {
                entries.add(new LedgerEntry(
                        text(row, "issuance_id"),
                        time(row, "first_connected"),
                        time(row, "last_connected"),
                        text(row, "client_lang"),
                        text(row, "client_version"),
                        text(row, "client_ip")));
            }
            cursor = text(answer, "next_cursor");
        }
        return entries;
    }

    private static AccountStatus status(JsonNode answer) {
        return new AccountStatus(
                text(answer, "account_id"),
                text(answer, "public_key"),
                answer.path("observed_generation").asLong(),
                text(answer, "sync_state"),
                text(answer, "last_error"));
    }

    private static String group(String accountId, String groupId) {
        return "/accounts/" + accountId + "/signing-key-groups/" + groupId;
    }

    private static String text(JsonNode node, String field) {
        String value = node.path(field).asText("");
        return value.isEmpty() ? null : value;
    }

    private static Instant time(JsonNode node, String field) {
        return node.hasNonNull(field) ? Instant.parse(node.get(field).asText()) : null;
    }
}
