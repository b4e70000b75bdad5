package io.penstock.controlplane.credential;

import io.penstock.controlplane.web.Durations;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.ProblemException.InvalidParameter;
import io.penstock.controlplane.web.SubjectPatterns;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks a group's template before anything is signed with it. */
@Singleton
public class TemplateCheck {
    private static final int MOST = 1000;
    private static final Set<String> CONNECTION_TYPES =
            Set.of("STANDARD", "WEBSOCKET", "LEAFNODE", "MQTT", "IN_PROCESS");
    private static final Pattern CIDR = Pattern.compile("[0-9a-fA-F.:]{2,45}/\\d{1,3}");

    void validate(ScopeTemplate template) {
        if (template == null) {
            return;
        }
        validate("template", template);
    }

    /** As the field `at` of a body. */
    public void validate(String at, ScopeTemplate template) {
        List<InvalidParameter> wrong = new ArrayList<>();
        permission(at + ".publish", template.publish(), wrong);
        permission(at + ".subscribe", template.subscribe(), wrong);
        if (template.responses() != null) {
            try {
                Durations.parse(template.responses().ttl());
            } catch (IllegalArgumentException | NullPointerException malformed) {
                wrong.add(body(at + ".responses.ttl", "duration", "a duration such as 90s, 15m or 72h"));
            }
        }
        atLeastUnlimited(at + ".subscriptions", template.subscriptions(), wrong);
        atLeastUnlimited(at + ".payload_bytes", template.payloadBytes(), wrong);
        atLeastUnlimited(at + ".data_bytes", template.dataBytes(), wrong);
        each(at + ".connection_types", template.connectionTypes(), CONNECTION_TYPES::contains, wrong);
        each(
                at + ".source_cidrs",
                template.sourceCidrs(),
                cidr -> CIDR.matcher(cidr).matches(),
                wrong);
        if (!wrong.isEmpty()) {
            throw ProblemException.invalid(ErrorCode.VALIDATION_FAILED, wrong);
        }
    }

    private static void permission(String field, ScopeTemplate.SubjectPermission given, List<InvalidParameter> wrong) {
        if (given != null) {
            each(field + ".allow", given.allow(), TemplateCheck::isPattern, wrong);
            each(field + ".deny", given.deny(), TemplateCheck::isPattern, wrong);
        }
    }

    private static void each(
            String field,
            List<String> values,
            java.util.function.Predicate<String> allowed,
            List<InvalidParameter> wrong) {
        if (values == null) {
            return;
        }
        if (values.size() > MOST) {
            wrong.add(body(field, "size", "at most " + MOST + " entries"));
        }
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null || !allowed.test(values.get(i))) {
                wrong.add(body(field + "[" + i + "]", "value", "this value is not allowed here"));
            }
        }
    }

    private static void atLeastUnlimited(String field, Long value, List<InvalidParameter> wrong) {
        if (value != null && value < -1) {
            wrong.add(body(field, "min", "-1 for unlimited, or a number from 0"));
        }
    }

    /** A subject with wildcards, and optionally a queue name after a space. */
    static boolean isPattern(String text) {
        String[] parts = text.split(" ", -1);
        return parts.length <= 2
                && text.length() <= 255
                && java.util.Arrays.stream(parts).allMatch(part -> SubjectPatterns.isPattern(withoutFunctions(part)));
    }

    /** `{{name()}}` and the like stand for tokens. */
    private static String withoutFunctions(String part) {
        return part.replaceAll("\\{\\{[^{}]*}}", "x");
    }

    private static InvalidParameter body(String field, String rule, String reason) {
        return new InvalidParameter(field, rule, reason, "body");
    }
}
