package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.BatchLimits;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One account: its streams by name, those led here and, in a cluster, those held here; its subscriptions, its limits.
 * Owned by the loop.
 */
public final class AccountRuntime {
    private static final String API = "$JS.API.";

    /** The queue group of the nodes of a cluster, for what one of them is to see to. */
    private static final String QUEUE = "_sys_";

    /** What every node of a cluster hears: all requests but those for messages, which streams take themselves. */
    private static final List<String> CLUSTER_REQUESTS = List.of(
            "$JS.API.INFO",
            "$JS.API.STREAM.>",
            "$JS.API.CONSUMER.CREATE.>",
            "$JS.API.CONSUMER.DURABLE.>",
            "$JS.API.CONSUMER.NAMES.>",
            "$JS.API.CONSUMER.LIST.>",
            "$JS.API.CONSUMER.INFO.>",
            "$JS.API.CONSUMER.DELETE.>",
            "$JS.API.CONSUMER.PAUSE.>",
            "$JS.API.CONSUMER.RESET.>",
            "$JS.API.CONSUMER.UNPIN.>",
            "$JS.API.CONSUMER.LEADER.>",
            "$JS.API.CONSUMER.PEER.>",
            "$JS.API.META.>",
            "$JS.API.SERVER.>",
            "$JS.API.ACCOUNT.>");

    private final Host host;
    private final String name;
    private final TreeMap<String, StreamRuntime> streams = new TreeMap<>();

    /** In a cluster, the streams held here by name. */
    private final TreeMap<String, Replica> held = new TreeMap<>();

    private final List<InternalSubscription> subscriptions = new ArrayList<>();
    private final ApiQueue queue;
    private final Ledger ledger;
    private final BatchRoom batches;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicLong apiTotal = new AtomicLong();
    private final AtomicLong apiErrors = new AtomicLong();

    private InternalClient client;
    private JetStreamLimits limits;
    private boolean serving;

    AccountRuntime(Host host, String name) {
        this.host = host;
        this.name = name;
        this.ledger = new Ledger(host.ledger());
        BatchLimits bounds = host.options().batches();
        this.batches = new BatchRoom(host.batches(), bounds.total(), bounds.maxAccountBytes());
        this.queue =
                new ApiQueue(host.options().requestQueueLimit(), host.options().infoQueueLimit());
    }

    void enable(InternalClient newClient, JetStreamLimits newLimits) {
        limits = newLimits;
        if (client != null) {
            return;
        }
        client = newClient;
        serve();
    }

    /** Subscribes to everything, when this node serves and the account is enabled. */
    void serve() {
        if (serving || client == null || !host.serving()) {
            return;
        }
        serving = true;
        if (host.clustered()) {
            CLUSTER_REQUESTS.forEach(pattern -> subscribe(pattern, this::request));
        } else {
            subscribe("$JS.API.>", this::request);
            subscribe("$JS.ACK.>", this::ack);
            subscribe("$JS.FC.>", this::flowControl);
        }
        String domain = host.options().domain();
        if (!domain.isEmpty()) {
            String prefix = "$JS." + domain + ".API.";
            InternalClient.InternalHandler handler =
                    m -> inDomain(m, m.subject().substring(prefix.length()));
            subscriptions.add(
                    host.clustered()
                            ? client.subscribeQueue(prefix + ">", QUEUE, handler)
                            : client.subscribe(prefix + ">", handler));
        }
        streams.values().forEach(StreamRuntime::serve);
        held.values().forEach(Replica::configure);
    }

    private void subscribe(String pattern, InternalClient.InternalHandler handler) {
        subscriptions.add(client.subscribe(pattern, handler));
    }

    private void inDomain(InboundMessage message, String rest) {
        if (host.clustered()) {
            // One node hears it; whoever is responsible hears it without the domain.
            client.publish(API + rest, message.reply(), headers(message), payload(message));
            client.flush();
        } else if (rest.startsWith("$KV.") || rest.startsWith("$OBJ.") || rest.startsWith("$O.")) {
            client.publish(rest, message.reply(), headers(message), payload(message));
            client.flush();
        } else {
            request(message, API + rest);
        }
    }

    void disable() {
        streams.values().forEach(StreamRuntime::pause);
        unsubscribe();
        held.values().forEach(Replica::configure);
        client = null;
        limits = null;
    }

    void unsubscribe() {
        subscriptions.forEach(InternalSubscription::close);
        subscriptions.clear();
        serving = false;
    }

    void stop() {
        streams.values().forEach(StreamRuntime::shutdown);
        unsubscribe();
        held.values().forEach(Replica::configure);
    }

    /** Whether the account is enabled and this node serves it. */
    boolean serving() {
        return serving;
    }

    /** This node leads a stream of the account. */
    void lead(StreamRuntime stream) {
        streams.put(stream.name(), stream);
        if (serving) {
            stream.serve();
            host.news().leads(stream);
        }
    }

    /** This node leads the stream no more, or it is gone. */
    void letGo(StreamRuntime stream) {
        streams.remove(stream.name(), stream);
    }

    void hold(Replica replica) {
        held.put(replica.machine().config().name(), replica);
    }

    void drop(Replica replica) {
        held.remove(replica.machine().config().name(), replica);
    }

    // --- on the publishers' event loops -----------------------------------------------------------------------

    void request(InboundMessage message) {
        request(message, message.subject());
    }

    private void request(InboundMessage message, String subject) {
        ApiCall call = new ApiCall(
                this,
                subject,
                message.reply(),
                headers(message),
                payload(message),
                message.origin(),
                host.loop().steady());
        int dropped = queue.add(call);
        if (dropped > 0) {
            host.loop().execute(() -> advisories().limitReached(dropped));
        }
        if (draining.compareAndSet(false, true)) {
            host.loop().execute(this::drain);
        }
    }

    void ack(InboundMessage message) {
        AckSubject ack = AckSubject.parse(message.subject());
        if (ack != null) {
            String reply = message.reply();
            byte[] body = payload(message);
            host.loop().execute(() -> acknowledge(ack, reply, body));
        }
    }

    void flowControl(InboundMessage message) {
        String subject = message.subject();
        host.loop().execute(() -> answerFlowControl(subject));
    }

    private static byte[] headers(InboundMessage message) {
        if (message.headersLength() == 0) {
            return Headers.NONE;
        }
        byte[] bytes = new byte[message.headersLength()];
        message.copyHeaders(bytes, 0);
        return bytes;
    }

    private static byte[] payload(InboundMessage message) {
        if (message.payloadLength() == 0) {
            return Headers.NONE;
        }
        byte[] bytes = new byte[message.payloadLength()];
        message.copyPayload(bytes, 0);
        return bytes;
    }

    // --- on the loop ------------------------------------------------------------------------------------------

    private static final int CALLS_PER_TURN = 64;

    private void drain() {
        draining.set(false);
        for (int i = 0; i < CALLS_PER_TURN; i++) {
            ApiCall call = queue.poll();
            if (call == null) {
                return;
            }
            StreamRuntime stream = named(call.subject());
            if (stream == null) {
                host.afterPending(() -> handle(call));
            } else {
                stream.engine().afterPending(() -> handle(call));
            }
        }
        if (queue.size() > 0 && draining.compareAndSet(false, true)) {
            host.loop().execute(this::drain);
        }
    }

    /** The stream led here that a request is about, or null. */
    private StreamRuntime named(String subject) {
        String stream = ApiCall.stream(subject);
        return stream == null ? null : streams.get(Subjects.toUtf8(stream));
    }

    private void handle(ApiCall call) {
        if (client != null) {
            host.api().handle(call);
        }
    }

    private void acknowledge(AckSubject ack, String reply, byte[] body) {
        StreamRuntime stream = streams.get(Subjects.toUtf8(ack.stream()));
        ConsumerRuntime consumer = stream == null ? null : stream.consumer(Subjects.toUtf8(ack.consumer()));
        if (consumer != null) {
            consumer.acknowledge(ack, reply, body);
        }
    }

    private void answerFlowControl(String subject) {
        String[] tokens = subject.split("\\.");
        if (tokens.length < 4) {
            return;
        }
        StreamRuntime stream = streams.get(Subjects.toUtf8(tokens[2]));
        ConsumerRuntime consumer = stream == null ? null : stream.consumer(Subjects.toUtf8(tokens[3]));
        if (consumer != null) {
            consumer.answerFlowControl(subject);
        }
    }

    /** Publishes at the end of the turn. */
    public boolean send(String subject, String reply, byte[] headers, byte[] payload) {
        if (client == null) {
            return false;
        }
        host.touched(client);
        return client.publish(subject, reply, headers, payload);
    }

    /** Hands a stream's message to the subscribers of {@code route} at the end of the turn. */
    boolean deliver(String route, String subject, String reply, byte[] headers, byte[] payload) {
        if (client == null) {
            return false;
        }
        host.touched(client);
        return client.deliver(route, subject, reply, headers, payload);
    }

    public boolean hasInterest(String subject) {
        return client != null && client.hasInterest(subject);
    }

    public Advisories advisories() {
        return new Advisories(host, this);
    }

    /** Counts a request of the API. */
    public void countApi(boolean failed) {
        apiTotal.incrementAndGet();
        if (failed) {
            apiErrors.incrementAndGet();
        }
    }

    public long apiTotal() {
        return apiTotal.get();
    }

    public long apiErrors() {
        return apiErrors.get();
    }

    public int apiWaiting() {
        return queue.size();
    }

    /** Open batches in streams led here. */
    BatchRoom batches() {
        return batches;
    }

    /** How many batches are open in streams led here and what they hold, in words. */
    public String openBatches() {
        return batches.open() + " batches, " + batches.bytes() + " bytes";
    }

    /** Bytes in use. */
    Ledger ledger() {
        return ledger;
    }

    public String name() {
        return name;
    }

    /** The account's client; null while it is not enabled. */
    public InternalClient client() {
        return client;
    }

    /** The account's limits; null while it is not enabled. */
    public JetStreamLimits limits() {
        return limits;
    }

    public Host host() {
        return host;
    }

    /** The streams led here by name. */
    public Collection<StreamRuntime> streams() {
        return streams.values();
    }

    /** The stream of this name, or null when it is not led here. */
    public StreamRuntime stream(String streamName) {
        return streams.get(streamName);
    }

    /** The engine of the stream of this name, led or held here; null when it is neither. */
    public Engine engineOf(String streamName) {
        StreamRuntime stream = streams.get(streamName);
        if (stream != null) {
            return stream.engine();
        }
        Replica replica = held.get(streamName);
        return replica == null ? null : replica.engine();
    }

    /** The state of the stream of this name, led here or held well enough to be shown; null when it is neither. */
    public StreamMachine machine(String streamName) {
        StreamRuntime stream = streams.get(streamName);
        if (stream != null) {
            return stream.machine();
        }
        Replica replica = held.get(streamName);
        boolean shown = replica != null
                && replica.engine().current()
                && replica.machine().failure() == null;
        return shown ? replica.machine() : null;
    }
}
