package io.penstock.controlplane.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A network, IPv4 or IPv6. An IPv4 address that comes mapped into IPv6 counts as IPv4. */
record Cidr(byte[] network, int bits) {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]{7,15}|[0-9A-Fa-f:.]{2,45}");

    /** Reads `203.0.113.0/24`, `2001:db8::/32`, or one address. Fails with IllegalArgumentException, also when bits of the host are set. */
    static Cidr parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2 || !parts[0].matches(ADDRESS.pattern())) {
            throw malformed(text);
        }
        byte[] address = address(parts[0]);
        int bits = parts.length == 1 ? address.length * 8 : number(parts[1], text);
        if (bits > address.length * 8) {
            throw malformed(text);
        }
        Cidr cidr = new Cidr(address, bits);
        for (int bit = bits; bit < address.length * 8; bit++) {
            if ((address[bit / 8] >> (7 - bit % 8) & 1) != 0) {
                throw new IllegalArgumentException(
                        text + " has bits set beyond its /" + bits + "; write the first address of the network");
            }
        }
        return cidr;
    }

    boolean contains(String ip) {
        if (ip == null || !ip.matches(ADDRESS.pattern())) {
            return false;
        }
        byte[] other = address(ip);
        if (other.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int shift = 7 - bit % 8;
            if ((other[bit / 8] >> shift & 1) != (network[bit / 8] >> shift & 1)) {
                return false;
            }
        }
        return true;
    }

    /** Literals only, which the pattern guarantees, so nothing is resolved. */
    private static byte[] address(String literal) {
        boolean dotted = literal.indexOf(':') < 0;
        if (dotted && literal.chars().filter(c -> c == '.').count() != 3) {
            throw malformed(literal);
        }
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException notAnAddress) {
            throw new IllegalArgumentException(literal + " is no address", notAnAddress);
        }
    }

    private static int number(String text, String whole) {
        if (!text.matches("\\d{1,3}")) {
            throw malformed(whole);
        }
        return Integer.parseInt(text);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(text + " is no network such as 203.0.113.0/24 or 2001:db8::/32");
    }
}
