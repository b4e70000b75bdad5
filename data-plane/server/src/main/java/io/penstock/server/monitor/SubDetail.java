package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.SubscriptionSnapshot;
import io.penstock.protocol.Subjects;
import io.penstock.server.json.Nodes;

/** A subscription in a list. */
final class SubDetail {
    private SubDetail() {}

    static ObjectNode of(SubscriptionSnapshot subscription, boolean withAccount) {
        ObjectNode node = Nodes.object();
        if (withAccount) {
            Nodes.textIfAny(node, "account", subscription.account());
            Nodes.textIfAny(node, "account_tag", subscription.accountPublicName());
        }
        node.put("subject", Subjects.toUtf8(subscription.subject()));
        if (subscription.queue() != null) {
            Nodes.textIfAny(node, "qgroup", Subjects.toUtf8(subscription.queue()));
        }
        node.put("sid", subscription.sid());
        node.put("msgs", subscription.delivered());
        Nodes.numberIfAny(node, "max", subscription.max());
        node.put("cid", subscription.connectionId());
        return node;
    }
}
