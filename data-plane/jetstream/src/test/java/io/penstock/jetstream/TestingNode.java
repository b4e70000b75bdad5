package io.penstock.jetstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.consensus.Checkpointed;
import io.penstock.consensus.TestingGroupLoop;
import io.penstock.consensus.TestingLog;
import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.jetstream.runtime.Room;
import io.penstock.jetstream.runtime.StreamRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A node with one account in the test's own thread and virtual time, that can crash and come back. */
final class TestingNode {
    static final JetStreamLimits UNLIMITED = new JetStreamLimits(-1, -1, -1, -1, -1, -1, -1, false, Map.of());
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** A message as a client sees it. */
    record Message(String subject, String reply, String headers, String payload) {
        static Message of(InboundMessage m) {
            byte[] headers = new byte[m.headersLength()];
            m.copyHeaders(headers, 0);
            byte[] payload = new byte[m.payloadLength()];
            m.copyPayload(payload, 0);
            return new Message(
                    m.subject(),
                    m.reply(),
                    new String(headers, StandardCharsets.UTF_8),
                    new String(payload, StandardCharsets.UTF_8));
        }

        /** The words behind NATS/1.0, or empty. */
        String status() {
            String first = headers.isEmpty() ? "" : headers.substring(0, headers.indexOf('\r'));
            return first.length() > 9 ? first.substring(9) : "";
        }

        String header(String name) {
            int at = headers.indexOf("\n" + name + ":");
            return at < 0
                    ? null
                    : headers.substring(at + name.length() + 2, headers.indexOf('\r', at))
                            .strip();
        }
    }

    final TestingGroupLoop loop = new TestingGroupLoop(1_800_000_000_000_000_000L);
    final TestingLog log = new TestingLog(loop);
    final TestingStoreFactory stores = new TestingStoreFactory();
    final TestingInternalClient client = new TestingInternalClient("A");
    final Set<Checkpointed> parts = new LinkedHashSet<>();
    JetStreamOptions options = JetStreamOptions.builder(Path.of("unused"), "n1").build();
    JetStreamLimits limits = UNLIMITED;
    Room room = Room.ENOUGH;
    Host host;
    Engine engine;
    private int inbox;

    TestingNode start() {
        parts.clear();
        Parts known = new Parts() {
            @Override
            public void add(Checkpointed part) {
                parts.add(part);
            }

            @Override
            public void remove(Checkpointed part) {
                parts.remove(part);
            }

            @Override
            public Room room() {
                return room;
            }
        };
        host = new Host(loop, options, new Random(1), new JsApi(options));
        engine = host.open(Host.SOLO, log, stores, known);
        engine.start();
        host.enable("A", client, limits);
        loop.runAll();
        return this;
    }

    /** Loses everything that is neither in the log nor in a checkpoint, then starts again. */
    void crash() {
        // The old process is gone: its subscriptions with it.
        engine.roleChanged(io.penstock.consensus.ReplicatedLog.Role.STOPPED, "", 0);
        log.restart();
        start();
    }

    /** Writes checkpoints of what changed and lets the log forget what they contain. */
    void checkpoint() {
        long index = log.appliedIndex();
        long safe = index;
        for (Checkpointed part : parts) {
            if (part.dirty()) {
                try {
                    part.begin(index).write();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        log.checkpointed(safe);
    }

    // --- client -----------------------------------------------------------------------------------------------

    final class Inbox {
        final String subject;
        final List<Message> messages = new ArrayList<>();
        private final InternalSubscription subscription;

        private Inbox(String subject, String queue) {
            this.subject = subject;
            this.subscription = client.subscribeQueue(subject, queue, m -> messages.add(Message.of(m)));
        }

        void close() {
            subscription.close();
            loop.runAll();
        }

        Message take() {
            return messages.isEmpty() ? null : messages.removeFirst();
        }
    }

    Inbox inbox() {
        return inbox("_INBOX." + ++inbox);
    }

    Inbox inbox(String subject) {
        return queue(subject, "");
    }

    Inbox queue(String subject, String queue) {
        Inbox box = new Inbox(subject, queue);
        loop.runAll();
        return box;
    }

    static byte[] headers(String... pairs) {
        if (pairs.length == 0) {
            return new byte[0];
        }
        StringBuilder out = new StringBuilder("NATS/1.0\r\n");
        for (int i = 0; i < pairs.length; i += 2) {
            out.append(pairs[i]).append(": ").append(pairs[i + 1]).append("\r\n");
        }
        return out.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Sends without waiting for anything. */
    void send(String subject, String reply, String payload, String... headers) {
        client.publish(subject, reply, headers(headers), payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers a message, asking for a reply when {@code inbox} is not null. */
    void answer(Message message, Inbox inbox, String payload) {
        send(message.reply, inbox == null ? null : inbox.subject, payload);
        loop.runAll();
    }

    /** Sends and answers the first reply, or null. */
    Message request(String subject, String payload, String... headers) {
        Inbox box = inbox();
        send(subject, box.subject, payload, headers);
        loop.runAll();
        box.close();
        return box.messages.isEmpty() ? null : box.messages.getFirst();
    }

    static JsonNode json(Message message) {
        try {
            return message == null ? null : MAPPER.readTree(message.payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode api(String subject, String body, String... headers) {
        return json(request("$JS.API." + subject, body, headers));
    }

    /** Publishes and answers the acknowledgement. */
    JsonNode publish(String subject, String payload, String... headers) {
        return json(request(subject, payload, headers));
    }

    StreamRuntime stream(String name) {
        for (AccountRuntime account : host.accounts()) {
            if (account.stream(name) != null) {
                return account.stream(name);
            }
        }
        throw new IllegalArgumentException("no stream " + name);
    }

    JsonNode createStream(String name, String more) {
        return api("STREAM.CREATE." + name, "{\"name\":\"" + name + "\"" + (more.isEmpty() ? "" : "," + more) + "}");
    }

    JsonNode createConsumer(String stream, String name, String more) {
        return api(
                "CONSUMER.CREATE." + stream + "." + name,
                "{\"stream_name\":\"" + stream + "\",\"config\":{\"durable_name\":\"" + name + "\""
                        + (more.isEmpty() ? "" : "," + more) + "}}");
    }
}
