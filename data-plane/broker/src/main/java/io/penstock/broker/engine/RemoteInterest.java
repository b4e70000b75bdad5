package io.penstock.broker.engine;

import io.penstock.broker.route.RouteSnapshot.RouteInterest;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the node at the other end of a route wants: subscriptions in the graphs of its accounts. On the route's loop, but
 * for the count.
 */
final class RemoteInterest {
    private final RouteConnection route;
    private final Map<String, Map<Interest, Sub>> byAccount = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    RemoteInterest(RouteConnection route) {
        this.route = route;
    }

    /** @param weight 0 for no longer */
    void set(String account, String pattern, String queue, int weight) {
        Interest interest = new Interest(account, pattern, queue);
        Map<Interest, Sub> subs = byAccount.get(account);
        Sub known = subs == null ? null : subs.get(interest);
        if (weight == 0) {
            if (known != null) {
                subs.remove(interest);
                if (subs.isEmpty()) {
                    byAccount.remove(account);
                }
                count.decrementAndGet();
                known.account.remove(known);
            }
        } else if (known != null) {
            known.reweigh(weight);
        } else if (Subjects.isValidPattern(pattern)) {
            LocalAccount local = (LocalAccount) route.engine.registry().getOrCreate(account);
            Sub sub = Sub.ofRoute(local, pattern, queue, route, weight);
            byAccount.computeIfAbsent(account, key -> new HashMap<>()).put(interest, sub);
            count.incrementAndGet();
            local.add(sub);
        }
    }

    /** An account was made anew: it must know what is wanted of it. */
    void accountCreated(LocalAccount account) {
        Map<Interest, Sub> subs = byAccount.get(account.name());
        if (subs == null) {
            return;
        }
        subs.replaceAll((interest, sub) -> {
            if (sub.account == account) {
                return sub;
            }
            Sub again = Sub.ofRoute(account, interest.pattern(), interest.queue(), route, sub.weight());
            account.add(again);
            return again;
        });
    }

    void clear() {
        byAccount.values().forEach(subs -> subs.values().forEach(sub -> sub.account.remove(sub)));
        byAccount.clear();
        count.set(0);
    }

    int count() {
        return count.get();
    }

    List<RouteInterest> list() {
        List<RouteInterest> all = new ArrayList<>();
        byAccount.forEach((account, subs) -> subs.forEach((interest, sub) ->
                all.add(new RouteInterest(account, interest.pattern(), interest.queue(), sub.weight()))));
        return all;
    }
}
