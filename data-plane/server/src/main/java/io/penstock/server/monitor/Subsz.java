package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.InterestStats;
import io.penstock.broker.Subscription;
import io.penstock.broker.SubscriptionSnapshot;
import io.penstock.protocol.Subjects;
import io.penstock.server.json.Nodes;
import java.util.ArrayList;
import java.util.List;

/** {@code /subsz}: subscriptions and the figures of routing. */
final class Subsz implements Page {
    private final Source source;

    Subsz(Source source) {
        this.source = source;
    }

    @Override
    public ObjectNode answer(Query query) throws PageException {
        String account = query.text("acc", "account");
        String test = Subjects.fromUtf8(query.text("test", "test"));
        boolean list = query.flag("subs", "subscriptions");
        Paging paging = Paging.of(query);
        if (!test.isEmpty() && !Subjects.isValidLiteral(test)) {
            throw new PageException(400, "invalid test subject, must be valid publish subject: " + test);
        }
        if (!account.isEmpty() && source.broker().accounts().find(account) == null) {
            throw new PageException(400, "Account " + account + " does not exist");
        }
        ObjectNode page = Nodes.object();
        page.put("server_id", source.broker().identity().id());
        page.put("now", source.clock().instant().toString());
        statistics(page, source.broker().interestStats(account.isEmpty() ? null : account));
        List<Subscription> matching = list ? matching(account, test) : List.of();
        page.put("total", matching.size());
        page.put("offset", paging.offset());
        page.put("limit", paging.limit());
        if (list) {
            ArrayNode entries = page.putArray("subscriptions_list");
            paging.slice(matching).forEach(subscription -> entries.add(SubDetail.of(snapshot(subscription), true)));
        }
        return page;
    }

    static void statistics(ObjectNode page, InterestStats stats) {
        page.put("num_subscriptions", stats.subscriptions());
        page.put("num_cache", stats.cached());
        page.put("num_inserts", stats.inserts());
        page.put("num_removes", stats.removes());
        page.put("num_matches", stats.matches());
        page.put("cache_hit_rate", stats.cacheHitRate());
        page.put("max_fanout", stats.maxFanout());
        page.put("avg_fanout", stats.averageFanout());
    }

    private List<Subscription> matching(String account, String test) {
        List<Subscription> matching = new ArrayList<>();
        for (Account each : source.broker().accounts().accounts()) {
            if (account.isEmpty() || account.equals(each.name())) {
                for (Subscription subscription : each.subscriptions()) {
                    if (test.isEmpty() || Subjects.matches(subscription.pattern(), test)) {
                        matching.add(subscription);
                    }
                }
            }
        }
        return matching;
    }

    private static SubscriptionSnapshot snapshot(Subscription subscription) {
        return new SubscriptionSnapshot(
                subscription.account().name(),
                subscription.account().publicName(),
                subscription.pattern(),
                subscription.queue(),
                subscription.sid(),
                subscription.delivered(),
                subscription.max(),
                subscription.connection() == null
                        ? 0
                        : subscription.connection().id());
    }
}
