package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** One account on the leader: its streams by name, its subscriptions, its limits. Owned by the loop. */
public final class AccountRuntime {
    private static final String API = "$JS.API.";

    private final Engine engine;
    private final String name;
    private final TreeMap<String, StreamRuntime> streams = new TreeMap<>();
    private final List<InternalSubscription> subscriptions = new ArrayList<>();
    private final ApiQueue queue;
    private final Ledger ledger;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicLong apiTotal = new AtomicLong();
    private final AtomicLong apiErrors = new AtomicLong();

    private InternalClient client;
    private JetStreamLimits limits;
    private boolean serving;

    AccountRuntime(Engine engine, String name) {
        this.engine = engine;
        this.name = name;
        this.ledger = new Ledger(engine.ledger());
        this.queue = new ApiQueue(
                engine.options().requestQueueLimit(), engine.options().infoQueueLimit());
    }

    void enable(InternalClient newClient, JetStreamLimits newLimits) {
        limits = newLimits;
        if (client != null) {
            return;
        }
        client = newClient;
        serve();
    }

    /** Subscribes to everything, when this node leads and the account is enabled. */
    void serve() {
        if (serving || client == null || !engine.leading()) {
            return;
        }
        serving = true;
        subscribe("$JS.API.>", m -> request(m, m.subject()));
        subscribe("$JS.ACK.>", this::ack);
        subscribe("$JS.FC.>", this::flowControl);
        String domain = engine.options().domain();
        if (!domain.isEmpty()) {
            String prefix = "$JS." + domain + ".API.";
            subscribe(prefix + ">", m -> inDomain(m, m.subject().substring(prefix.length())));
        }
        streams.values().forEach(StreamRuntime::serve);
    }

    private void subscribe(String pattern, InternalClient.InternalHandler handler) {
        subscriptions.add(client.subscribe(pattern, handler));
    }

    private void inDomain(InboundMessage message, String rest) {
        if (rest.startsWith("$KV.") || rest.startsWith("$OBJ.") || rest.startsWith("$O.")) {
            client.publish(rest, message.reply(), headers(message), payload(message));
            client.flush();
        } else {
            request(message, API + rest);
        }
    }

    void disable() {
        streams.values().forEach(StreamRuntime::pause);
        unsubscribe();
        client = null;
        limits = null;
    }

    private void unsubscribe() {
        subscriptions.forEach(InternalSubscription::close);
        subscriptions.clear();
        serving = false;
    }

    /** The log takes entries again after a while in which it did not. */
    void resync() {
        streams.values().forEach(StreamRuntime::resync);
    }

    /** Somebody else leads now. */
    void follow() {
        streams.values().forEach(StreamRuntime::follow);
        streams.clear();
        unsubscribe();
    }

    void stop() {
        streams.values().forEach(StreamRuntime::shutdown);
        unsubscribe();
    }

    /** This node leads a stream of the account. */
    void lead(StreamMachine machine) {
        StreamRuntime stream = new StreamRuntime(engine, this, machine);
        streams.put(machine.config().name(), stream);
        if (serving) {
            stream.serve();
        }
    }

    void removed(StreamMachine machine) {
        StreamRuntime stream = streams.get(machine.config().name());
        if (stream != null && stream.machine() == machine) {
            streams.remove(machine.config().name());
            stream.deleted();
        }
    }

    // --- on the publishers' event loops -----------------------------------------------------------------------

    private void request(InboundMessage message, String subject) {
        ApiCall call =
                new ApiCall(this, subject, message.reply(), headers(message), payload(message), message.origin());
        int dropped = queue.add(call);
        if (dropped > 0) {
            engine.loop().execute(() -> advisories().limitReached(dropped));
        }
        if (draining.compareAndSet(false, true)) {
            engine.loop().execute(this::drain);
        }
    }

    private void ack(InboundMessage message) {
        AckSubject ack = AckSubject.parse(message.subject());
        if (ack != null) {
            String reply = message.reply();
            byte[] body = payload(message);
            engine.loop().execute(() -> acknowledge(ack, reply, body));
        }
    }

    private void flowControl(InboundMessage message) {
        String subject = message.subject();
        engine.loop().execute(() -> answerFlowControl(subject));
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
            engine.afterPending(() -> handle(call));
        }
        if (queue.size() > 0 && draining.compareAndSet(false, true)) {
            engine.loop().execute(this::drain);
        }
    }

    private void handle(ApiCall call) {
        if (client != null) {
            engine.api().handle(call);
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
        engine.touched(client);
        return client.publish(subject, reply, headers, payload);
    }

    /** Hands a stream's message to the subscribers of {@code route} at the end of the turn. */
    boolean deliver(String route, String subject, String reply, byte[] headers, byte[] payload) {
        if (client == null) {
            return false;
        }
        engine.touched(client);
        return client.deliver(route, subject, reply, headers, payload);
    }

    public boolean hasInterest(String subject) {
        return client != null && client.hasInterest(subject);
    }

    public Advisories advisories() {
        return new Advisories(engine, this);
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

    public Engine engine() {
        return engine;
    }

    /** The streams by name. */
    public Collection<StreamRuntime> streams() {
        return streams.values();
    }

    /** The stream of this name, or null. */
    public StreamRuntime stream(String streamName) {
        return streams.get(streamName);
    }
}
