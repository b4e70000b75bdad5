package io.penstock.accountservice.api;

import io.penstock.accountservice.account.GroupService;
import io.penstock.accountservice.account.GroupSpec;
import io.penstock.accountservice.issue.IssueRequest;
import io.penstock.accountservice.issue.IssueService;
import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.statement.CurrentStatement;
import io.penstock.accountservice.sync.SyncQueue;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;

/** Signing-key groups and the users they issue. */
@Path("/internal/v1/accounts/{accountId}/signing-key-groups/{groupId}")
@RunOnVirtualThread
public class GroupResource {
    private final GroupService groups;
    private final IssueService issuing;
    private final Views views;
    private final SyncQueue queue;
    private final CurrentStatement statement;

    GroupResource(GroupService groups, IssueService issuing, Views views, SyncQueue queue, CurrentStatement statement) {
        this.groups = groups;
        this.issuing = issuing;
        this.views = views;
        this.queue = queue;
        this.statement = statement;
    }

    @PUT
    public Response put(
            @PathParam("accountId") String accountId, @PathParam("groupId") String groupId, GroupSpec spec) {
        if (groups.put(statement.get(), accountId, groupId, spec)) {
            queue.requestAndWait(accountId);
        }
        return Response.ok(views.group(accountId, groupId)).build();
    }

    @GET
    public Response get(@PathParam("accountId") String accountId, @PathParam("groupId") String groupId) {
        return Response.ok(views.group(accountId, groupId)).build();
    }

    @DELETE
    public Response remove(@PathParam("accountId") String accountId, @PathParam("groupId") String groupId) {
        if (groups.remove(statement.get(), accountId, groupId)) {
            queue.requestAndWait(accountId);
        }
        return Response.ok(views.group(accountId, groupId)).build();
    }

    /** How long the previous key stays; 0 removes it at once. */
    public record RotateRequest(Long keepPreviousSeconds) {}

    @POST
    @Path("/actions/rotate")
    public Response rotate(
            @PathParam("accountId") String accountId, @PathParam("groupId") String groupId, RotateRequest request) {
        if (request == null || request.keepPreviousSeconds() == null) {
            throw ProblemException.invalid("keep_previous_seconds must be given");
        }
        groups.rotate(statement.get(), accountId, groupId, request.keepPreviousSeconds());
        queue.requestAndWait(accountId);
        return Response.ok(views.group(accountId, groupId)).build();
    }

    @POST
    @Path("/issue")
    public Response issue(
            @PathParam("accountId") String accountId, @PathParam("groupId") String groupId, IssueRequest request) {
        return Response.status(201)
                .entity(issuing.issue(statement.get(), accountId, groupId, request))
                .build();
    }
}
