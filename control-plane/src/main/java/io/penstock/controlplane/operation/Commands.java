package io.penstock.controlplane.operation;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Shown;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.function.Function;

/** Calls that change one object in the database: each is the change, or with `dryRun` what it would do. */
@ApplicationScoped
public class Commands {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    DryRuns dryRuns;

    @Inject
    Idempotency idempotency;

    /**
     * Makes an object that belongs to the object `parent`; at most once for a key.
     *
     * @param path what stands before its id in its address
     */
    public <T extends Shown> Response create(
            String parent, boolean dryRun, byte[] body, String path, Function<Scope, Outcome<T>> work) {
        if (dryRun) {
            return planned(parent, work);
        }
        return idempotency.once(
                body,
                () -> tenancy.onResource(
                        request.principal(),
                        parent,
                        scope -> idempotency.settle(Idempotency.Answer.created(
                                path, work.apply(scope).after()))));
    }

    /** Changes the object `id` and shows it. */
    public <T extends Shown> Response update(String id, boolean dryRun, Function<Scope, Outcome<T>> work) {
        return dryRun
                ? planned(id, work)
                : Etags.answer(tenancy.onResource(request.principal(), id, work).after());
    }

    /** Removes the object `id`; then `afterwards` runs. */
    public Response delete(String id, boolean dryRun, Function<Scope, ? extends Outcome<?>> work, Runnable afterwards) {
        if (dryRun) {
            return planned(id, work);
        }
        tenancy.onResource(request.principal(), id, work);
        afterwards.run();
        return Response.noContent().build();
    }

    /** As {@link #delete}, and that is all. */
    public Response delete(String id, boolean dryRun, Function<Scope, ? extends Outcome<?>> work) {
        return delete(id, dryRun, work, () -> {});
    }

    private Response planned(String id, Function<Scope, ? extends Outcome<?>> work) {
        return Response.ok(dryRuns.of(id, work)).build();
    }
}
