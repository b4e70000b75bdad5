package io.penstock.accountservice.account;

import java.util.List;

/**
 * What users of a signing-key group may do. Subjects may hold `{{name()}}` and the like. Limits left out are unlimited.
 *
 * @param connectionTypes such as `STANDARD` and `WEBSOCKET`; empty for all
 * @param times times of day in `timeZone`
 */
public record TemplateSpec(
        PermissionsSpec.Rules publish,
        PermissionsSpec.Rules subscribe,
        PermissionsSpec.Responses responses,
        Long subscriptions,
        Long data,
        Long payloadBytes,
        List<String> connectionTypes,
        List<String> sourceCidrs,
        List<TimeRange> times,
        String timeZone,
        Boolean bearer) {

    public TemplateSpec {
        connectionTypes = connectionTypes == null ? List.of() : connectionTypes;
        sourceCidrs = sourceCidrs == null ? List.of() : sourceCidrs;
        times = times == null ? List.of() : times;
        timeZone = timeZone == null ? "" : timeZone;
    }

    /** `HH:MM:SS` to `HH:MM:SS`, across midnight when it ends before it starts. */
    public record TimeRange(String start, String end) {}
}
