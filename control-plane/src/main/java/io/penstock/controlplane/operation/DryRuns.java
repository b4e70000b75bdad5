package io.penstock.controlplane.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Dry runs of changes in the database: the change itself runs, with every check and constraint, and its transaction is undone. So a dry
 * run cannot say something else than the change would.
 */
@ApplicationScoped
public class DryRuns {
    /** Fields that tell when and not what. */
    private static final List<String> NOISE = List.of("etag", "updated_at", "sync", "usage");

    @Inject
    Tenancy tenancy;

    @Inject
    RequestInfo request;

    @Inject
    ObjectMapper json;

    /** Carries the outcome out of the transaction that it ends. */
    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Outcome<?> outcome;

        Undone(Outcome<?> outcome) {
            super(null, null, false, false);
            this.outcome = outcome;
        }
    }

    /** Runs the change on the object `id` and takes it back. */
    public DryRun of(String id, Function<Scope, ? extends Outcome<?>> work) {
        return undone(undoing -> tenancy.onResource(request.principal(), id, undoing), work);
    }

    /** As {@link #of}, for what belongs to the organisation itself. */
    public DryRun ofOrganization(String org, Function<Scope, ? extends Outcome<?>> work) {
        return undone(undoing -> tenancy.onOrganization(request.principal(), org, undoing), work);
    }

    private DryRun undone(
            Function<Function<Scope, DryRun>, DryRun> transaction, Function<Scope, ? extends Outcome<?>> work) {
        try {
            return transaction.apply(scope -> {
                throw new Undone(work.apply(scope));
            });
        } catch (Undone undone) {
            return view(undone.outcome);
        }
    }

    public DryRun view(Outcome<?> outcome) {
        JsonNode before = shown(outcome.before());
        JsonNode after = shown(outcome.after());
        return new DryRun(
                true, Views.changes(before, after), outcome.affected(), outcome.warnings(), outcome.restorableUntil());
    }

    /** A dry run of something that is no object: an action. */
    public static DryRun action(Map<String, Object> affected, String... warnings) {
        return new DryRun(true, JsonNodeFactory.instance.arrayNode(), affected, List.of(warnings), null);
    }

    private JsonNode shown(Object view) {
        if (view == null) {
            return json.createObjectNode();
        }
        ObjectNode node = json.valueToTree(view);
        node.remove(NOISE);
        return node;
    }
}
