package io.penstock.broker.engine;

import io.penstock.broker.ConnectionKind;
import io.penstock.broker.MessageTarget;
import io.penstock.broker.Subscription;
import io.penstock.broker.TraceOptions;
import io.penstock.broker.internal.InternalClient;

/** A part of the server as a client of one account. */
final class LocalClient implements InternalClient {
    private static final String JETSTREAM_PREFIX = "$JS.";

    private final BrokerEngine engine;
    private final Lanes lanes;
    private final LocalAccount account;
    private final InternalOrigin origin;

    LocalClient(BrokerEngine engine, LocalAccount account, InternalOrigin origin) {
        this.engine = engine;
        this.lanes = engine.lanes();
        this.account = account;
        this.origin = origin;
    }

    @Override
    public String account() {
        return account.name();
    }

    @Override
    public InternalSubscription subscribe(String pattern, InternalHandler handler) {
        return subscribeQueue(pattern, null, handler);
    }

    @Override
    public InternalSubscription subscribeQueue(String pattern, String queue, InternalHandler handler) {
        MessageTarget target = message -> {
            handler.onMessage(message);
            return 1;
        };
        // Streams take in what the account imports; JetStream's own requests stay in the account.
        boolean listed = origin.kind() == ConnectionKind.JETSTREAM && !pattern.startsWith(JETSTREAM_PREFIX);
        Subscription subscription =
                listed ? account.subscribeListed(pattern, queue, target) : account.subscribe(pattern, queue, target);
        return subscription::remove;
    }

    @Override
    public InternalSubscription subscribeLocal(String pattern, InternalHandler handler) {
        Subscription subscription = account.subscribeLocal(pattern, null, message -> {
            handler.onMessage(message);
            return 1;
        });
        return subscription::remove;
    }

    @Override
    public boolean publish(String subject, String reply, byte[] headers, byte[] payload) {
        return lanes.on(lane -> route(lane, subject, null, reply, headers, payload)) > 0;
    }

    @Override
    public boolean deliver(String route, String subject, String reply, byte[] headers, byte[] payload) {
        String shown = subject.equals(route) ? null : subject;
        return lanes.on(lane -> route(lane, route, shown, reply, headers, payload)) > 0;
    }

    private int route(Lane lane, String route, String shown, String reply, byte[] headers, byte[] payload) {
        Frame message = lane.begin();
        if (message == null) {
            return 0;
        }
        try {
            message.fromServer(origin, account, route, reply, headers, payload);
            if (shown != null) {
                message.show(shown);
            }
            TraceOptions trace = engine.options().trace();
            if (trace.system()) {
                ProtocolTrace.published(trace, message);
            }
            return Router.route(lane, message);
        } finally {
            lane.end(message);
        }
    }

    @Override
    public boolean hasInterest(String subject) {
        return account.hasInterest(subject);
    }

    @Override
    public boolean hasSubscription(String subject) {
        return account.hasSubscription(subject);
    }

    @Override
    public InternalSubscription watchInterest(String subject, InterestWatcher watcher) {
        return account.watches().watch(subject, watcher);
    }

    @Override
    public void flush() {
        lanes.flush();
    }
}
