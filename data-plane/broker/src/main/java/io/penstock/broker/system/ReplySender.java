package io.penstock.broker.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.internal.InternalClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Sends replies of system services into the account the question came from. Safe from any thread. */
final class ReplySender {
    private static final byte[] NO_HEADERS = {};
    private static final byte[] GZIP_HEADERS =
            "NATS/1.0\r\nContent-Encoding: gzip\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerInfo server;

    ReplySender(ServerInfo server) {
        this.server = server;
    }

    void data(Question question, JsonNode data) {
        ObjectNode reply = Json.object();
        reply.set("server", server.next());
        if (data != null) {
            reply.set("data", data);
        }
        raw(question, Json.bytes(reply));
    }

    void error(Question question, int code, String description) {
        ObjectNode reply = Json.object();
        reply.set("server", server.next());
        reply.set("error", Json.object().put("code", code).put("description", description));
        raw(question, Json.bytes(reply));
    }

    /** Sends a body without the usual envelope. */
    void raw(Question question, byte[] body) {
        if (question.reply() == null) {
            return;
        }
        boolean gzip = question.acceptsGzip() && body.length > 0;
        publish(question.account(), question.reply(), gzip ? GZIP_HEADERS : NO_HEADERS, gzip ? compress(body) : body);
    }

    static void publish(Account account, String subject, byte[] headers, byte[] body) {
        InternalClient client = account.internalClient(ConnectionKind.SYSTEM);
        client.publish(subject, null, headers, body);
        client.flush();
    }

    private static byte[] compress(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException("compressing in memory cannot fail", e);
        }
        return out.toByteArray();
    }

    /** Whether a header block asks for gzip. */
    static boolean acceptsGzip(byte[] headers) {
        String text = new String(headers, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        int start = text.indexOf("\r\naccept-encoding:");
        if (start < 0) {
            return false;
        }
        int end = text.indexOf("\r\n", start + 2);
        return text.substring(start, end < 0 ? text.length() : end).contains("gzip");
    }
}
