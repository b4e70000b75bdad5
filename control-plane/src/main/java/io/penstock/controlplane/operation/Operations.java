package io.penstock.controlplane.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Operations with their steps. The first step is the change in the database, done with the record of the operation itself; the last one
 * is done when the broker has the account's generation. Runs in its caller's transaction.
 */
@ApplicationScoped
public class Operations {
    private static final TypeReference<List<Step>> STEPS = new TypeReference<>() {};

    @Inject
    OperationRepository operations;

    @Inject
    AccountRepository accounts;

    @Inject
    Locator locator;

    @Inject
    ObjectMapper json;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** A step; `error` says why it waits. */
    public record Step(String name, String state, String error) {}

    /** An operation as it is shown. */
    public record View(
            String id,
            String kind,
            String state,
            String target,
            List<Step> steps,
            String createdBy,
            Instant createdAt,
            Instant updatedAt,
            String error) {}

    /** Notes an operation whose `changed` is done and whose `syncing` waits for the broker. */
    public View start(Scope scope, AccountEntity account, String kind, String changed, String syncing) {
        OperationEntity row = new OperationEntity();
        row.id = ids.next("op");
        row.orgId = scope.orgId();
        row.accountId = account.id;
        row.kind = kind;
        row.state = "running";
        row.target = "/v1/accounts/" + account.id;
        row.steps = write(List.of(new Step(changed, "succeeded", null), new Step(syncing, "running", null)));
        row.generation = account.desiredGeneration;
        row.createdBy = scope.principal() == null ? "system" : scope.principal().userId();
        row.createdAt = clock.instant();
        row.updatedAt = row.createdAt;
        locator.add(row.id, scope.orgId(), account.id);
        operations.persistAndFlush(row);
        return view(scope, row);
    }

    /** As it stands now: an operation that the broker has caught up with is settled in passing. */
    public View view(Scope scope, OperationEntity row) {
        List<Step> steps = new ArrayList<>(read(row.steps));
        if ("running".equals(row.state)) {
            AccountEntity account = accounts.any(scope, row.accountId);
            Step last = steps.removeLast();
            if (account.observedGeneration >= row.generation) {
                steps.add(new Step(last.name(), "succeeded", null));
                row.state = "succeeded";
                row.steps = write(steps);
                row.updatedAt = clock.instant();
            } else {
                steps.add(new Step(last.name(), "running", account.syncError));
            }
        }
        return new View(
                row.id,
                row.kind,
                row.state,
                row.target,
                List.copyOf(steps),
                row.createdBy,
                row.createdAt,
                row.updatedAt,
                row.error);
    }

    private List<Step> read(String text) {
        try {
            return json.readValue(text, STEPS);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("stored steps cannot be read", damaged);
        }
    }

    private String write(List<Step> steps) {
        try {
            return json.writeValueAsString(steps);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
