package io.penstock.broker.engine;

import io.penstock.broker.internal.InternalClient;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Those who wait for interest in literal subjects of one account to come or go. */
final class InterestWatches {
    private final LocalAccount account;
    private final Map<String, List<Watch>> bySubject = new ConcurrentHashMap<>();

    InterestWatches(LocalAccount account) {
        this.account = account;
    }

    /** One watcher; what it was told last is guarded by its own monitor, so that its calls come in order. */
    private final class Watch implements InternalClient.InternalSubscription {
        private final String subject;
        private final InternalClient.InterestWatcher watcher;
        private boolean told;
        private boolean present;
        private boolean closed;

        private Watch(String subject, InternalClient.InterestWatcher watcher) {
            this.subject = subject;
            this.watcher = watcher;
        }

        private synchronized void look() {
            boolean now = account.hasInterest(subject);
            if (!closed && (!told || now != present)) {
                told = true;
                present = now;
                watcher.onInterest(now);
            }
        }

        @Override
        public void close() {
            synchronized (this) {
                closed = true;
            }
            bySubject.computeIfPresent(subject, (key, watches) -> without(watches, this));
        }
    }

    private static List<Watch> without(List<Watch> watches, Watch gone) {
        List<Watch> left = new ArrayList<>(watches);
        left.remove(gone);
        return left.isEmpty() ? null : List.copyOf(left);
    }

    InternalClient.InternalSubscription watch(String subject, InternalClient.InterestWatcher watcher) {
        Watch watch = new Watch(subject, watcher);
        bySubject.merge(subject, List.of(watch), (old, added) -> {
            List<Watch> all = new ArrayList<>(old);
            all.addAll(added);
            return List.copyOf(all);
        });
        watch.look();
        return watch;
    }

    /** Subscriptions of this pattern changed. */
    void changed(String pattern) {
        if (bySubject.isEmpty()) {
            return;
        }
        if (!Subjects.hasWildcard(pattern)) {
            bySubject.getOrDefault(pattern, List.of()).forEach(Watch::look);
            return;
        }
        bySubject.forEach((subject, watches) -> {
            if (Subjects.matches(pattern, subject)) {
                watches.forEach(Watch::look);
            }
        });
    }
}
