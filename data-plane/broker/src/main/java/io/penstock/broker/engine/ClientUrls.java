package io.penstock.broker.engine;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.WebSocketOptions;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Where clients can connect: here, and on the other nodes. */
final class ClientUrls {
    private ClientUrls() {}

    /** {@code host:port} of this node's clients, as others are to tell theirs. */
    static List<String> own(BrokerOptions options, InetSocketAddress bound) {
        return bound == null ? List.of() : urls(options.clientAdvertise(), options.host(), bound);
    }

    static List<String> ownWebSocket(BrokerOptions options, InetSocketAddress bound) {
        WebSocketOptions webSocket = options.webSocket();
        return webSocket == null || bound == null ? List.of() : urls(webSocket.advertise(), webSocket.host(), bound);
    }

    private static List<String> urls(String advertised, String host, InetSocketAddress bound) {
        if (advertised != null && !advertised.isEmpty()) {
            boolean hasPort = advertised.lastIndexOf(':') > advertised.lastIndexOf(']');
            return List.of(hasPort ? advertised : advertised + ":" + bound.getPort());
        }
        List<String> hosts = isAny(host) ? ownAddresses() : List.of(host);
        return hosts.stream().map(one -> hostPort(one, bound.getPort())).toList();
    }

    private static String hostPort(String host, int port) {
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    static boolean isAny(String host) {
        return host.isEmpty() || host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
    }

    /** Addresses of this host that others can reach; the loopback one when there is no other. */
    static List<String> ownAddresses() {
        List<String> found = new ArrayList<>();
        try {
            for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
                if (one.isUp() && !one.isLoopback()) {
                    one.inetAddresses()
                            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                            .forEach(address -> found.add(text(address)));
                }
            }
        } catch (SocketException _) {
            // A host that hides its interfaces can only be reached by what is advertised.
            return List.of("127.0.0.1");
        }
        return found.isEmpty() ? List.of("127.0.0.1") : found;
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return address instanceof Inet6Address && zone >= 0 ? text.substring(0, zone) : text;
    }

    /** Own ones first, each once. */
    static List<String> all(List<String> own, List<List<String>> others) {
        Set<String> all = new LinkedHashSet<>(own);
        others.forEach(all::addAll);
        return List.copyOf(all);
    }
}
