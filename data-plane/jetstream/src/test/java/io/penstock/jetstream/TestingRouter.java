package io.penstock.jetstream;

import io.penstock.broker.internal.InternalClient;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Routing of one account between nodes and clients, in the test's own thread; nodes can vanish or be cut off. */
final class TestingRouter {
    private record Sub(String node, String pattern, String queue, InternalClient.InternalHandler handler) {}

    private record Watch(String node, String subject, InternalClient.InterestWatcher watcher) {}

    private final List<Sub> subs = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Set<String> cutOff = new HashSet<>();

    /** A client at a node; the name of no node stands for clients outside. */
    InternalClient client(String node) {
        return new Client(node);
    }

    /** The node died: its subscriptions go with it. */
    void drop(String node) {
        changing(() -> {
            subs.removeIf(sub -> sub.node.equals(node));
            watches.removeIf(watch -> watch.node.equals(node));
        });
    }

    void isolate(String node) {
        changing(() -> cutOff.add(node));
    }

    void heal() {
        changing(cutOff::clear);
    }

    boolean isCutOff(String node) {
        return cutOff.contains(node);
    }

    private boolean reaches(String from, String to) {
        return from.equals(to) || (!cutOff.contains(from) && !cutOff.contains(to));
    }

    private boolean interest(String node, String subject) {
        return subs.stream().anyMatch(s -> reaches(node, s.node) && Subjects.matches(s.pattern, subject));
    }

    private void changing(Runnable change) {
        List<Watch> watched = List.copyOf(watches);
        List<Boolean> before =
                watched.stream().map(w -> interest(w.node, w.subject)).toList();
        change.run();
        for (int i = 0; i < watched.size(); i++) {
            Watch watch = watched.get(i);
            boolean now = interest(watch.node, watch.subject);
            if (now != before.get(i) && watches.contains(watch)) {
                watch.watcher.onInterest(now);
            }
        }
    }

    int subscriptions(String node) {
        return (int) subs.stream().filter(s -> s.node.equals(node)).count();
    }

    private final class Client implements InternalClient {
        private final String node;

        Client(String node) {
            this.node = node;
        }

        @Override
        public String account() {
            return "A";
        }

        @Override
        public InternalSubscription subscribe(String pattern, InternalHandler handler) {
            return subscribeQueue(pattern, "", handler);
        }

        @Override
        public InternalSubscription subscribeQueue(String pattern, String queue, InternalHandler handler) {
            Sub sub = new Sub(node, pattern, queue, handler);
            changing(() -> subs.add(sub));
            return () -> changing(() -> subs.remove(sub));
        }

        @Override
        public boolean publish(String subject, String reply, byte[] headers, byte[] payload) {
            return deliver(subject, subject, reply, headers, payload);
        }

        @Override
        public boolean deliver(String route, String subject, String reply, byte[] headers, byte[] payload) {
            boolean any = false;
            Set<String> queues = new HashSet<>();
            for (Sub sub : List.copyOf(subs)) {
                if (!reaches(node, sub.node)
                        || !Subjects.matches(sub.pattern, route)
                        || (!sub.queue.isEmpty() && !queues.add(sub.queue))) {
                    continue;
                }
                any = true;
                sub.handler.onMessage(new TestingMessage(subject, reply, headers, payload));
            }
            return any;
        }

        @Override
        public boolean hasInterest(String subject) {
            return interest(node, subject);
        }

        @Override
        public InternalSubscription watchInterest(String subject, InterestWatcher watcher) {
            Watch watch = new Watch(node, subject, watcher);
            watches.add(watch);
            watcher.onInterest(interest(node, subject));
            return () -> watches.remove(watch);
        }

        @Override
        public void flush() {}
    }
}
