package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.ServerIdentity;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.ClusterApi;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import java.io.Serial;
import java.util.Arrays;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a request of the API to whoever answers it. Called on the loop. */
public final class JsApi implements Host.ApiHandler {
    private static final Logger LOG = LoggerFactory.getLogger(JsApi.class);

    private final StreamRequests streams;
    private final StreamChanges changes;
    private final ConsumerRequests consumers;
    private final ConsumerChanges consumerChanges;
    private final MessageRequests messages;
    private final DirectGet direct;
    private final LeaderRequests leaders;
    private final BackupRequests backups;

    public JsApi(JetStreamOptions options) {
        streams = new StreamRequests(options);
        changes = new StreamChanges(options);
        consumers = new ConsumerRequests(options);
        consumerChanges = new ConsumerChanges(options);
        messages = new MessageRequests(options);
        direct = new DirectGet(options);
        leaders = new LeaderRequests(options);
        backups = new BackupRequests(options, changes);
    }

    @Override
    public void handle(ApiCall call) {
        String[] tokens = call.subject().split("\\.", -1);
        // tokens 0 and 1 are $JS and API
        String type = responseType(tokens);
        try {
            ClusterApi cluster = call.account().host().clusterApi();
            if (cluster != null && !isMessages(tokens) && cluster.handle(call, tokens)) {
                return;
            }
            if (isMessages(tokens) || !refusedByLevel(call, type)) {
                dispatch(call, tokens);
            }
        } catch (UnsureException e) {
            e.engine.whenSure(() -> handle(call));
        } catch (ElsewhereException e) {
            // The node that leads the stream answers.
        } catch (UnknownRequestException e) {
            LOG.debug(
                    "account {} asks for what there is not: {}", call.account().name(), call.subject());
            call.account().countApi(true);
        } catch (JsException e) {
            Responder.error(call, type, e.error());
        } catch (InvalidJsonException e) {
            Responder.error(call, type, JsError.INVALID_JSON.of(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error(
                    "request {} of account {} failed",
                    call.subject(),
                    call.account().name(),
                    e);
            Responder.error(call, type, JsError.STREAM_GENERAL_ERROR.of("internal error, see the server's log"));
        }
    }

    /** There is no such request: nobody answers it. */
    private static final class UnknownRequestException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        UnknownRequestException() {
            super(null, null, false, false);
        }
    }

    /** Another node leads the stream, or none does. */
    private static final class ElsewhereException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        ElsewhereException() {
            super(null, null, false, false);
        }
    }

    /** The stream is led here, but another node may have taken over already. */
    private static final class UnsureException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient Engine engine;

        UnsureException(Engine engine) {
            super(null, null, false, false);
            this.engine = engine;
        }
    }

    /** Tells who asked for a stream, or for a change of it, how it went. */
    @Override
    public void assigned(AccountRuntime account, StreamAssignment assignment, StreamRuntime stream, ApiError refused) {
        StreamAssignment.Request request = assignment.request();
        ApiCall call = new ApiCall(
                account,
                request.subject(),
                request.reply(),
                Headers.NONE,
                request.body(),
                request.origin(),
                account.host().loop().steady());
        String type = request.create() ? "stream_create_response" : "stream_update_response";
        if (refused != null) {
            Responder.error(call, type, refused);
            return;
        }
        ObjectNode fields = JetStreamJson.tree(Views.stream(stream, true, true, null, null));
        if (request.create()) {
            fields.put("did_create", true);
        }
        Responder.ok(call, type, fields);
        account.advisories().stream(
                request.create() ? "CREATED" : "UPDATED", assignment.stream(), request.create() ? "create" : "modify");
    }

    private static boolean isMessages(String[] tokens) {
        return tokens[2].equals("DIRECT")
                || (tokens.length > 4 && tokens[2].equals("CONSUMER") && tokens[3].equals("MSG"));
    }

    private void dispatch(ApiCall call, String[] tokens) throws InvalidJsonException {
        String area = tokens[2];
        String verb = tokens.length > 3 ? tokens[3] : "";
        String name = tokens.length > 4 ? Subjects.toUtf8(tokens[4]) : "";
        switch (area) {
            case "INFO" -> {
                if (tokens.length == 3) {
                    Responder.ok(call, "account_info_response", Views.account(call.account()));
                } else {
                    throw new UnknownRequestException();
                }
            }
            case "STREAM" -> stream(call, tokens, verb, name);
            case "CONSUMER" -> consumer(call, tokens, verb, name);
            case "DIRECT" -> direct.handle(call, tokens);
            case "META", "SERVER", "ACCOUNT" -> {
                // Matters of the system account; to others it is as if there were no such requests.
            }
            default -> throw new UnknownRequestException();
        }
    }

    private void stream(ApiCall call, String[] tokens, String verb, String name) throws InvalidJsonException {
        if (verb.equals("MSG") && tokens.length == 6) {
            String target = Subjects.toUtf8(tokens[5]);
            switch (tokens[4]) {
                case "GET" -> messages.get(call, target);
                case "DELETE" -> messages.delete(call, target);
                default -> throw new UnknownRequestException();
            }
            return;
        }
        if (verb.equals("LEADER") && tokens.length == 6 && tokens[4].equals("STEPDOWN")) {
            leaders.stream(call, Subjects.toUtf8(tokens[5]));
            return;
        }
        boolean named = tokens.length == 5;
        switch (verb) {
            case "NAMES" -> streams.names(call);
            case "LIST" -> streams.list(call);
            case "INFO" -> streams.info(call, require(named, name));
            case "CREATE" -> changes.create(call, require(named, name));
            case "UPDATE" -> changes.update(call, require(named, name));
            case "DELETE" -> changes.delete(call, require(named, name));
            case "PURGE" -> changes.purge(call, require(named, name));
            case "SNAPSHOT" -> backups.snapshot(call, require(named, name));
            case "RESTORE" -> backups.restore(call, require(named, name));
            case "PEER", "LEADER", "CANCEL_MOVE" -> throw JsError.CLUSTER_REQUIRED.raise();
            default -> throw new UnknownRequestException();
        }
    }

    private void consumer(ApiCall call, String[] tokens, String verb, String name) throws InvalidJsonException {
        switch (verb) {
            case "NAMES" -> consumers.names(call, require(tokens.length == 5, name));
            case "LIST" -> consumers.list(call, require(tokens.length == 5, name));
            case "CREATE", "DURABLE" -> consumerChanges.create(call, tokens);
            case "MSG" -> {
                if (tokens.length != 7 || !tokens[4].equals("NEXT")) {
                    throw new UnknownRequestException();
                }
                consumers.next(call, Subjects.toUtf8(tokens[5]), Subjects.toUtf8(tokens[6]));
            }
            case "LEADER" -> {
                if (tokens.length != 7 || !tokens[4].equals("STEPDOWN")) {
                    throw new UnknownRequestException();
                }
                leaders.consumer(call, Subjects.toUtf8(tokens[5]), Subjects.toUtf8(tokens[6]));
            }
            case "PEER" -> {
                if (tokens.length != 7 || !(tokens[4].equals("REMOVE") || tokens[4].equals("EVACUATE"))) {
                    throw new UnknownRequestException();
                }
                leaders.consumerPeer(call, Subjects.toUtf8(tokens[5]), Subjects.toUtf8(tokens[6]));
            }
            case "INFO", "DELETE", "PAUSE", "RESET", "UNPIN" -> {
                String consumer = Subjects.toUtf8(require(tokens.length == 6, tokens[tokens.length - 1]));
                switch (verb) {
                    case "INFO" -> consumers.info(call, name, consumer);
                    case "DELETE" -> consumerChanges.delete(call, name, consumer);
                    case "PAUSE" -> consumerChanges.pause(call, name, consumer);
                    case "RESET" -> consumerChanges.reset(call, name, consumer);
                    default -> throw JsError.CONSUMER_INVALID_PRIORITY_GROUP.raise();
                }
            }
            default -> throw new UnknownRequestException();
        }
    }

    private static String require(boolean condition, String value) {
        if (!condition) {
            throw new UnknownRequestException();
        }
        return value;
    }

    private static boolean refusedByLevel(ApiCall call, String type) {
        if (levelTooHigh(call)) {
            Responder.error(call, type, JsError.REQUIRED_API_LEVEL.of());
            return true;
        }
        return false;
    }

    /** Whether the request asks for a level of the API above ours. */
    static boolean levelTooHigh(ApiCall call) {
        String asked = call.headers().length == 0 ? null : Headers.value(call.headers(), "Nats-Required-Api-Level");
        if (asked == null) {
            return false;
        }
        try {
            return Integer.parseInt(asked) > ServerIdentity.API_LEVEL;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    /** The type an answer to this subject carries. */
    public static String responseType(String[] tokens) {
        String area = tokens[2];
        String verb = tokens.length > 3 ? tokens[3] : "";
        boolean message = verb.equals("MSG") && tokens.length > 4;
        return switch (area) {
            case "INFO" -> "account_info_response";
            case "STREAM" ->
                switch (verb) {
                    case "MSG" ->
                        message && tokens[4].equals("DELETE")
                                ? "stream_msg_delete_response"
                                : "stream_msg_get_response";
                    case "CREATE", "UPDATE", "NAMES", "LIST", "INFO", "DELETE", "PURGE", "SNAPSHOT", "RESTORE" ->
                        "stream_" + verb.toLowerCase(Locale.ROOT) + "_response";
                    case "PEER" -> peerType("stream", tokens);
                    case "LEADER" -> "stream_leader_stepdown_response";
                    case "CANCEL_MOVE" -> "stream_cancel_move_response";
                    default -> "system_response";
                };
            case "CONSUMER" ->
                switch (verb) {
                    case "CREATE", "DURABLE" -> "consumer_create_response";
                    case "NAMES", "LIST", "INFO", "DELETE", "PAUSE", "RESET", "UNPIN" ->
                        "consumer_" + verb.toLowerCase(Locale.ROOT) + "_response";
                    case "LEADER" -> "consumer_leader_stepdown_response";
                    case "PEER" -> peerType("consumer", tokens);
                    default -> "system_response";
                };
            default -> "system_response";
        };
    }

    private static String peerType(String of, String[] tokens) {
        boolean evacuates = tokens.length > 4 && tokens[4].equals("EVACUATE");
        return of + (evacuates ? "_evacuate_peer_response" : "_remove_peer_response");
    }

    // --- what the handlers share ----------------------------------------------------------------------------------

    /** The stream of this name; an error when there is none. */
    static StreamRuntime stream(ApiCall call, String name) {
        StreamRuntime stream = call.account().stream(name);
        boolean clustered = call.account().host().clustered();
        if (stream == null && !clustered) {
            throw JsError.STREAM_NOT_FOUND.raise();
        }
        if (stream == null || (clustered && stream.since() > call.heard())) {
            throw new ElsewhereException();
        }
        if (!stream.engine().sure()) {
            throw new UnsureException(stream.engine());
        }
        if (stream.machine().failure() != null) {
            throw JsError.STREAM_OFFLINE_REASON.raise(stream.machine().failure());
        }
        return stream;
    }

    /** Reads a body that may be left out: nothing, and what is no JSON object or array, reads as an empty object. */
    static <T> T optional(ApiCall call, Class<T> type, boolean strict) throws InvalidJsonException {
        byte[] body = isObject(call.body()) ? call.body() : new byte[] {'{', '}'};
        return JetStreamJson.read(body, type, strict);
    }

    /** Whether the body has something in it. */
    static boolean isBlank(byte[] body) {
        for (byte b : body) {
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                return false;
            }
        }
        return true;
    }

    private static boolean isObject(byte[] body) {
        for (byte b : body) {
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                return b == '{' || b == '[';
            }
        }
        return false;
    }

    /** Whether the body is nothing or an empty object. */
    static boolean isEmpty(byte[] body) {
        return isBlank(body) || Arrays.equals(body, new byte[] {'{', '}'});
    }

    /** Sees to it that a request without a body has none. */
    static void expectEmpty(ApiCall call) {
        if (!isEmpty(call.body())) {
            throw JsError.NOT_EMPTY_REQUEST.raise();
        }
    }
}
