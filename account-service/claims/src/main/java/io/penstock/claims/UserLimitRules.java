package io.penstock.claims;

import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;

/** Checks of the limits in a user's token or a template. */
final class UserLimitRules {
    private UserLimitRules() {}

    static void validate(UserLimits limits, ValidationResults results) {
        for (String source : limits.sources()) {
            if (!isCidr(source)) {
                results.error("invalid cidr '" + source + "' in user src limits");
            }
        }
        for (UserLimits.TimeRange range : limits.times()) {
            checkTime("start", range.start(), results);
            checkTime("end", range.end(), results);
        }
        if (!limits.timesLocation().isEmpty()) {
            try {
                ZoneId _ = ZoneId.of(limits.timesLocation());
            } catch (DateTimeException e) {
                results.error("could not parse iana time zone '" + limits.timesLocation() + "'");
            }
        }
    }

    private static void checkTime(String which, String time, ValidationResults results) {
        if (time.isEmpty()) {
            results.error("time ranges start and end must be set, " + which + " is empty");
            return;
        }
        try {
            LocalTime _ = LocalTime.parse(time);
        } catch (DateTimeException e) {
            results.error(which + " in time range is invalid: '" + time + "'");
        }
    }

    private static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0) {
            return false;
        }
        String address = text.substring(0, slash);
        String bits = text.substring(slash + 1);
        // Only literals: a name would be looked up.
        boolean v6 = address.indexOf(':') >= 0;
        if (!bits.matches("\\d{1,3}") || !address.matches(v6 ? "[0-9a-fA-F:.]+" : "\\d{1,3}(\\.\\d{1,3}){3}")) {
            return false;
        }
        try {
            InetAddress parsed = InetAddress.ofLiteral(address);
            return Integer.parseInt(bits) <= (v6 ? 128 : 32) && parsed != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
