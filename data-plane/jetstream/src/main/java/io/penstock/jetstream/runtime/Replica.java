package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.jetstream.state.StreamEvents;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * A stream that lies on this node of a cluster, led here or not: takes its share of the direct gets. Owned by the loop.
 */
final class Replica implements StreamEvents {
    /** The queue group in which all replicas of a stream take direct gets. */
    private static final String QUEUE = "_sys_";

    private final Engine engine;
    private final AccountRuntime account;
    private final StreamMachine machine;
    private final List<InternalSubscription> subscriptions = new ArrayList<>();

    Replica(Engine engine, AccountRuntime account, StreamMachine machine) {
        this.engine = engine;
        this.account = account;
        this.machine = machine;
        account.hold(this);
        watch();
    }

    /** In a cluster, takes a stream in among those held, unless it is among them or not to be seen. */
    static void hold(Engine engine, StreamMachine stream, Long2ObjectHashMap<Replica> held) {
        if (engine.host().clustered() && !Hidden.is(stream) && !held.containsKey(stream.id())) {
            held.put(stream.id(), new Replica(engine, engine.host().account(stream.account()), stream));
        }
    }

    /** Hears of the stream's changes, while it is not led here. */
    void watch() {
        machine.listen(this);
        configure();
    }

    @Override
    public void reconfigured() {
        configure();
    }

    /** Takes direct gets, or no more: by configuration, role and the account's rights. */
    void configure() {
        boolean wanted = engine.current() && machine.config().allowDirect() && account.serving();
        if (!wanted) {
            unsubscribe();
        } else if (subscriptions.isEmpty()) {
            String subject =
                    "$JS.API.DIRECT.GET." + Subjects.fromUtf8(machine.config().name());
            subscriptions.add(account.client().subscribeQueue(subject, QUEUE, account::request));
            subscriptions.add(account.client().subscribeQueue(subject + ".>", QUEUE, account::request));
        }
    }

    private void unsubscribe() {
        subscriptions.forEach(InternalSubscription::close);
        subscriptions.clear();
    }

    void close() {
        unsubscribe();
        machine.listen(StreamEvents.NONE);
        account.drop(this);
    }

    StreamMachine machine() {
        return machine;
    }

    Engine engine() {
        return engine;
    }
}
