package io.penstock.claims;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Permissions and limits of a user, in the user's own token or in the template of a scoped signing key.
 *
 * @param sources CIDR blocks the user may come from, empty for anywhere
 * @param times times of day the user may be connected, empty for always
 * @param timesLocation IANA zone of these times, empty for UTC of the server
 * @param subscriptions most subscriptions, -1 for any number
 * @param data bytes, -1 for any number; not enforced by anyone
 * @param payload most bytes of a message, -1 for the server's limit
 * @param bearerToken whether the token alone suffices, without a signature
 * @param proxyRequired whether the user must come through a trusted proxy
 * @param connectionTypes such as `STANDARD` and `WEBSOCKET`, empty for all
 */
public record UserLimits(
        Permissions permissions,
        List<String> sources,
        List<TimeRange> times,
        String timesLocation,
        long subscriptions,
        long data,
        long payload,
        boolean bearerToken,
        boolean proxyRequired,
        List<String> connectionTypes) {

    /** No permissions and every limit 0: what a user of a scoped signing key must carry. */
    public static final UserLimits SCOPED =
            new UserLimits(Permissions.NONE, List.of(), List.of(), "", 0, 0, 0, false, false, List.of());

    /** No permissions and no limits: a user who may do everything in the account. */
    public static final UserLimits UNLIMITED =
            new UserLimits(Permissions.NONE, List.of(), List.of(), "", -1, -1, -1, false, false, List.of());

    public UserLimits {
        sources = List.copyOf(sources);
        times = List.copyOf(times);
        connectionTypes = List.copyOf(connectionTypes);
    }

    /**
     * A range of the day; one that ends before it starts crosses midnight.
     *
     * @param start `HH:MM:SS`
     * @param end `HH:MM:SS`
     */
    public record TimeRange(String start, String end) {}

    /** The same with other permissions. */
    public UserLimits withPermissions(Permissions other) {
        return new UserLimits(
                other,
                sources,
                times,
                timesLocation,
                subscriptions,
                data,
                payload,
                bearerToken,
                proxyRequired,
                connectionTypes);
    }

    /** Whether there is nothing in it, as a scoped signing key demands of its users. */
    public boolean isEmpty() {
        return equals(SCOPED);
    }

    static UserLimits read(JsonObject json) throws InvalidTokenException {
        List<TimeRange> times = new ArrayList<>();
        for (JsonObject range : json.objects("times")) {
            times.add(new TimeRange(range.string("start"), range.string("end")));
        }
        return new UserLimits(
                Permissions.read(json),
                json.stringsOrCommas("src"),
                times,
                json.string("times_location"),
                json.number("subs"),
                json.number("data"),
                json.number("payload"),
                json.bool("bearer_token"),
                json.bool("proxy_required"),
                json.strings("allowed_connection_types"));
    }

    void write(JsonFields fields) {
        permissions.write(fields);
        fields.put("src", sources)
                .put(
                        "times",
                        times.stream()
                                .map(range -> Map.of("start", range.start(), "end", range.end()))
                                .toList())
                .put("times_location", timesLocation)
                .put("subs", subscriptions)
                .put("data", data)
                .put("payload", payload)
                .put("bearer_token", bearerToken)
                .put("proxy_required", proxyRequired)
                .put("allowed_connection_types", connectionTypes);
    }

    void validate(ValidationResults results) {
        permissions.validate(results);
        UserLimitRules.validate(this, results);
    }
}
