package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.json.Nodes;

/** {@code /healthz}: whether the server does what it is for. The answer comes with a code, like that of HTTP. */
final class Healthz {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final Source source;

    Healthz(Source source) {
        this.source = source;
    }

    /** An answer and its code. */
    record Health(int code, ObjectNode body) {}

    /** What is wrong. */
    private record Failure(int code, String type, String account, String stream, String consumer, String error) {}

    Health answer(Query query) throws PageException {
        boolean details = query.flag("details", "details");
        Failure failure = check(query);
        ObjectNode body = Nodes.object();
        if (failure == null) {
            return new Health(200, body.put("status", "ok"));
        }
        if (details) {
            ObjectNode error = body.put("status", "error").putArray("errors").addObject();
            error.put("type", failure.type());
            Nodes.textIfAny(error, "account", failure.account());
            Nodes.textIfAny(error, "stream", failure.stream());
            Nodes.textIfAny(error, "consumer", failure.consumer());
            error.put("error", failure.error());
        } else {
            body.put("status", failure.code() == BAD_REQUEST ? "error" : "unavailable")
                    .put("error", failure.error());
        }
        return new Health(failure.code(), body);
    }

    private Failure check(Query query) throws PageException {
        String account = query.text("account", "account");
        String stream = query.text("stream", "stream");
        String consumer = query.text("consumer", "consumer");
        if (account.isEmpty() && !stream.isEmpty()) {
            return asked("\"account\" must not be empty when checking stream health");
        }
        if (stream.isEmpty() && !consumer.isEmpty()) {
            return asked("\"stream\" must not be empty when checking consumer health");
        }
        boolean serverOnly = query.flag("js-server-only", "js-server-only");
        if (!source.isReady()) {
            // Who kills what is not alive must not kill a long recovery, which would begin again.
            return serverOnly
                    ? null
                    : new Failure(UNAVAILABLE, "CONNECTION", "", "", "", "the listeners are not open yet");
        }
        if (serverOnly || source.options().jetStream() == null) {
            return source.options().jetStream() == null ? named(account, stream, consumer) : null;
        }
        JetStreamSource jetStream = source.jetStream();
        String problem = jetStream == null ? "JetStream is not available" : jetStream.problem();
        if (problem != null) {
            return new Failure(UNAVAILABLE, "JETSTREAM", "", "", "", problem);
        }
        boolean streamsToo = !query.flag("js-enabled-only", "js-enabled-only")
                && !query.flag("js-enabled", "js-enabled")
                && !query.flag("js-meta-only", "js-meta-only");
        if (!streamsToo) {
            return null;
        }
        String failed = jetStream.failedStream();
        return failed == null
                ? named(account, stream, consumer)
                : new Failure(UNAVAILABLE, "STREAM", "", "", "", failed);
    }

    private Failure named(String account, String stream, String consumer) {
        if (account.isEmpty()) {
            return null;
        }
        JetStreamSource jetStream = source.jetStream();
        if (jetStream == null || !jetStream.hasAccount(account)) {
            return new Failure(
                    NOT_FOUND, "ACCOUNT", account, "", "", "JetStream account \"" + account + "\" not found");
        }
        if (!stream.isEmpty() && !jetStream.hasStream(account, stream)) {
            return new Failure(
                    NOT_FOUND,
                    "STREAM",
                    account,
                    stream,
                    "",
                    "JetStream stream \"" + stream + "\" not found on account \"" + account + "\"");
        }
        if (!consumer.isEmpty() && !jetStream.hasConsumer(account, stream, consumer)) {
            return new Failure(
                    NOT_FOUND,
                    "CONSUMER",
                    account,
                    stream,
                    consumer,
                    "JetStream consumer \"" + consumer + "\" not found for stream \"" + stream + "\" on account \""
                            + account + "\"");
        }
        return null;
    }

    private static Failure asked(String error) {
        return new Failure(BAD_REQUEST, "BAD_REQUEST", "", "", "", error);
    }
}
