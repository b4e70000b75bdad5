package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Connection;
import io.penstock.broker.Identity;
import io.penstock.broker.permission.Permissions;
import io.penstock.broker.permission.SubjectPermission;
import io.penstock.protocol.Subjects;
import java.time.Duration;
import java.time.Instant;

/** What a user learns about itself from {@code $SYS.REQ.USER.INFO}. */
final class UserInfo {
    private UserInfo() {}

    static ObjectNode of(Connection connection, Instant now) {
        Identity identity = connection.identity();
        ObjectNode info = Json.object();
        info.put("user", identity.user());
        info.put("account", connection.account().name());
        Json.putPresent(info, "account_name", connection.account().publicName());
        Json.putPresent(info, "user_name", identity.nameTag());
        Permissions permissions = connection.permissions();
        boolean unlimited = permissions.publish().isUnlimited()
                && permissions.subscribe().isUnlimited()
                && permissions.responses() == null;
        if (!unlimited) {
            info.set("permissions", permissions(permissions));
        }
        if (identity.expires() != null) {
            info.put(
                    "expires",
                    Math.max(0, Duration.between(now, identity.expires()).toNanos()));
        }
        return info;
    }

    private static ObjectNode permissions(Permissions permissions) {
        ObjectNode node = Json.object();
        node.set("publish", rules(permissions.publish()));
        node.set("subscribe", rules(permissions.subscribe()));
        if (permissions.responses() != null) {
            ObjectNode responses = Json.object();
            responses.put("max", permissions.responses().maxMessages());
            responses.put("ttl", permissions.responses().ttl().toNanos());
            node.set("responses", responses);
        }
        return node;
    }

    private static ObjectNode rules(SubjectPermission rules) {
        ObjectNode node = Json.object();
        putList(node, "allow", rules.allow());
        putList(node, "deny", rules.deny());
        return node;
    }

    private static void putList(ObjectNode node, String field, Iterable<String> subjects) {
        ArrayNode list = Json.array();
        subjects.forEach(subject -> list.add(Subjects.toUtf8(subject)));
        if (!list.isEmpty()) {
            node.set(field, list);
        }
    }
}
