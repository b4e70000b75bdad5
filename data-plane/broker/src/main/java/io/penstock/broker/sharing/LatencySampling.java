package io.penstock.broker.sharing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Whether the headers of a request say that its caller is being traced. */
final class LatencySampling {
    private static final String UBER = "Uber-Trace-Id";
    private static final String B3_SAMPLED = "X-B3-Sampled";
    private static final String B3_TRACE = "X-B3-TraceId";
    private static final String B3 = "B3";
    private static final String PARENT = "Traceparent";

    private LatencySampling() {}

    /** The headers that ask for a measurement, or empty when none does. */
    static Optional<Map<String, String>> requestedBy(byte[] headers) {
        if (headers.length == 0) {
            return Optional.empty();
        }
        String uber = HeaderBlock.first(headers, UBER);
        if (uber != null) {
            String[] parts = uber.split(":");
            return parts.length == 4 && isOdd(parts[3]) ? Optional.of(Map.of(UBER, uber)) : Optional.empty();
        }
        String sampled = HeaderBlock.first(headers, B3_SAMPLED);
        String trace = HeaderBlock.first(headers, B3_TRACE);
        if ("1".equals(sampled) || (trace != null && sampled == null)) {
            Map<String, String> found = new LinkedHashMap<>();
            putPresent(found, B3_SAMPLED, sampled);
            putPresent(found, B3_TRACE, trace);
            return Optional.of(found);
        }
        String b3 = HeaderBlock.first(headers, B3);
        if (b3 != null) {
            String[] parts = b3.split("-");
            String flag = parts.length == 1 ? parts[0] : parts.length > 2 ? parts[2] : "1";
            return flag.equals("1") || flag.equals("d") ? Optional.of(Map.of(B3, b3)) : Optional.empty();
        }
        String parent = HeaderBlock.first(headers, PARENT);
        if (parent != null) {
            String[] parts = parent.split("-");
            return parts.length == 4 && isOdd(parts[3]) ? Optional.of(Map.of(PARENT, parent)) : Optional.empty();
        }
        return Optional.empty();
    }

    private static void putPresent(Map<String, String> headers, String name, String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    private static boolean isOdd(String hex) {
        try {
            return (Integer.parseInt(hex.strip(), 16) & 1) == 1;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
