package io.penstock.jetstream;

import io.penstock.broker.internal.InternalClient;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.List;

/** Routing of one account inside the test's own thread. */
final class TestingInternalClient implements InternalClient {
    private record Sub(String pattern, String queue, InternalHandler handler) {}

    private record Watch(String subject, InterestWatcher watcher) {}

    private final String account;
    private final List<Sub> subs = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();

    TestingInternalClient(String account) {
        this.account = account;
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public InternalSubscription subscribe(String pattern, InternalHandler handler) {
        return subscribeQueue(pattern, "", handler);
    }

    @Override
    public InternalSubscription subscribeQueue(String pattern, String queue, InternalHandler handler) {
        Sub sub = new Sub(pattern, queue, handler);
        changing(() -> subs.add(sub));
        return () -> changing(() -> subs.remove(sub));
    }

    private void changing(Runnable change) {
        List<Boolean> before = watches.stream().map(w -> hasInterest(w.subject)).toList();
        List<Watch> watched = List.copyOf(watches);
        change.run();
        for (int i = 0; i < watched.size(); i++) {
            boolean now = hasInterest(watched.get(i).subject);
            if (now != before.get(i)) {
                watched.get(i).watcher.onInterest(now);
            }
        }
    }

    @Override
    public boolean publish(String subject, String reply, byte[] headers, byte[] payload) {
        return deliver(subject, subject, reply, headers, payload);
    }

    @Override
    public boolean deliver(String route, String subject, String reply, byte[] headers, byte[] payload) {
        boolean any = false;
        List<String> queues = new ArrayList<>();
        for (Sub sub : List.copyOf(subs)) {
            if (!Subjects.matches(sub.pattern, route) || (!sub.queue.isEmpty() && queues.contains(sub.queue))) {
                continue;
            }
            queues.add(sub.queue.isEmpty() ? " " : sub.queue);
            any = true;
            sub.handler.onMessage(new TestingMessage(subject, reply, headers, payload));
        }
        return any;
    }

    @Override
    public boolean hasInterest(String subject) {
        return subs.stream().anyMatch(s -> Subjects.matches(s.pattern, subject));
    }

    @Override
    public InternalSubscription watchInterest(String subject, InterestWatcher watcher) {
        Watch watch = new Watch(subject, watcher);
        watches.add(watch);
        watcher.onInterest(hasInterest(subject));
        return () -> watches.remove(watch);
    }

    @Override
    public void flush() {}

    int subscriptions() {
        return subs.size();
    }
}
