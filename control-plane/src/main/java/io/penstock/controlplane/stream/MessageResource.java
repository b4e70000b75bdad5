package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.math.BigInteger;
import java.util.Map;

/** Messages of a stream, read one by one by sequence: no consumer is made, nothing is acknowledged. */
@Path("/v1/accounts/{account}/streams/{stream}/messages")
@Produces("application/json")
@RunOnVirtualThread
public class MessageResource {
    /** Most messages of a page. */
    private static final int MAX_PAGE = 100;
    /** Payload bytes shown of each message without `max_payload`. */
    private static final int PREVIEW = 16_384;
    /** Payload bytes shown of one message at most. */
    private static final int WHOLE = 8 << 20;

    @Inject
    StreamAccess access;

    @Inject
    JetStream jetStream;

    @Inject
    Browser browser;

    @Inject
    BrokerAudit audit;

    @Inject
    Paging paging;

    @GET
    @Requires(Permission.MESSAGES_READ)
    public Paging.Page<Messages.Message> list(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @QueryParam("start_seq") String startSeq,
            @QueryParam("last") String last,
            @QueryParam("subject") String subject,
            @QueryParam("max_payload") String maxPayload,
            @Context UriInfo uri) {
        Paging.Window window = paging.window(uri, MAX_PAGE);
        long start = startSeq == null ? 0 : number("start_seq", startSeq, 0, Long.MAX_VALUE);
        int preview = maxPayload == null ? PREVIEW : (int) number("max_payload", maxPayload, 0, 1 << 20);
        int newest = last == null ? 0 : (int) number("last", last, 1, MAX_PAGE);
        if (last != null && startSeq != null) {
            throw ProblemException.invalidQuery("last", "give `last` or `start_seq`, not both");
        }
        access.require(account, stream, Permission.MESSAGES_READ);
        Browser.Query query = new Browser.Query(account, stream, subject == null ? ">" : subject, preview);
        Browser.Result result = newest > 0
                ? browser.backward(query, window.after() == null ? 0 : Long.parseLong(window.after()), newest)
                : browser.forward(
                        query, window.after() == null ? start : Long.parseLong(window.after()), window.size());
        return paging.page(window, result.messages(), result.next());
    }

    @GET
    @Requires(Permission.MESSAGES_READ)
    @Path("/{seq}")
    public Messages.Message get(
            @PathParam("account") String account, @PathParam("stream") String stream, @PathParam("seq") String seq) {
        long number = sequence(seq);
        access.require(account, stream, Permission.MESSAGES_READ);
        ObjectNode query = JsonNodeFactory.instance.objectNode().put("seq", number);
        return jetStream
                .message(account, stream, query)
                .map(message -> Messages.view(message, WHOLE))
                .orElseThrow(ProblemException::notFound);
    }

    @DELETE
    @Requires(Permission.STREAMS_WRITE)
    @Path("/{seq}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("stream") String stream,
            @PathParam("seq") String seq,
            @QueryParam("erase") boolean erase,
            @QueryParam("dry_run") boolean dryRun) {
        long number = sequence(seq);
        access.require(account, stream, Permission.STREAMS_WRITE);
        if (dryRun) {
            ObjectNode wanted = JsonNodeFactory.instance.objectNode().put("seq", number);
            if (jetStream.message(account, stream, wanted).isEmpty()) {
                throw ProblemException.notFound();
            }
            return Response.ok(DryRuns.action(Map.of("messages", "1"))).build();
        }
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("seq", number).put("no_erase", !erase);
        audit.around(
                account,
                "message.deleted",
                "/v1/accounts/" + account + "/streams/" + stream + "/messages/" + seq,
                Map.of("erase", erase),
                () -> jetStream.call(account, "STREAM.MSG.DELETE." + stream, body));
        return Response.noContent().build();
    }

    private static long sequence(String text) {
        boolean fits = text.matches("\\d{1,19}") && new BigInteger(text).bitLength() < 64;
        if (!fits) {
            throw ProblemException.notFound();
        }
        return Long.parseLong(text);
    }

    private static long number(String name, String text, long min, long max) {
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw ProblemException.invalidQuery(name, "must be a number");
        }
        throw ProblemException.invalidQuery(name, "must be from " + min + " to " + max);
    }
}
