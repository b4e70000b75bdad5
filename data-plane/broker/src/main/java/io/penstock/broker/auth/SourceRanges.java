package io.penstock.broker.auth;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** The networks a user may connect from, as CIDRs. An entry that cannot be read matches no address. */
final class SourceRanges {
    private record Range(byte[] network, int bits) {
        boolean contains(byte[] address) {
            if (address.length != network.length) {
                return false;
            }
            int whole = bits / 8;
            for (int i = 0; i < whole; i++) {
                if (address[i] != network[i]) {
                    return false;
                }
            }
            int rest = bits % 8;
            return rest == 0 || ((address[whole] ^ network[whole]) & 0xff) >> (8 - rest) == 0;
        }
    }

    private SourceRanges() {}

    /**
     * Whether {@code host} lies in one of the networks.
     *
     * @param host address in text, never a name
     */
    static boolean allow(List<String> networks, String host) {
        if (networks.isEmpty()) {
            return true;
        }
        byte[] address = parse(host);
        if (address == null) {
            return false;
        }
        for (Range range : ranges(networks)) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private static List<Range> ranges(List<String> networks) {
        List<Range> ranges = new ArrayList<>();
        for (String network : networks) {
            for (String part : network.split(",")) {
                Range range = range(part.trim());
                if (range != null) {
                    ranges.add(range);
                }
            }
        }
        return ranges;
    }

    private static Range range(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return null;
        }
        byte[] network = parse(text.substring(0, slash));
        try {
            int bits = Integer.parseInt(text.substring(slash + 1));
            return network == null || bits < 0 || bits > network.length * 8 ? null : new Range(network, bits);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static byte[] parse(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        try {
            return InetAddress.ofLiteral(bare).getAddress();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
