package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InternalClient.InternalHandler;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.protocol.Subjects;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a stream listens to. Owned by the loop. */
final class Interest {
    private final AccountRuntime account;
    private final Map<String, InternalSubscription> subscriptions = new TreeMap<>();

    Interest(AccountRuntime account) {
        this.account = account;
    }

    /** Listens to these subjects and to no others. What is old ends first: no message is heard twice. */
    void only(Map<String, InternalHandler> wanted) {
        subscriptions.entrySet().removeIf(e -> {
            if (wanted.containsKey(e.getKey())) {
                return false;
            }
            e.getValue().close();
            return true;
        });
        wanted.forEach((subject, handler) ->
                subscriptions.computeIfAbsent(subject, s -> account.client().subscribe(s, handler)));
    }

    /** Whether a subject is among those a stream takes. */
    static boolean covers(List<String> subjects, String subject) {
        return subjects.stream().anyMatch(pattern -> Subjects.matches(Subjects.fromUtf8(pattern), subject));
    }

    void none() {
        only(Map.of());
    }
}
