package io.penstock.broker.route;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Where another node listens for routes.
 *
 * @param user name to show there, or null for the cluster's own
 * @param password secret to show there
 */
public record RouteAddress(String host, int port, String user, String password) {
    private static final int DEFAULT_PORT = 6222;

    /**
     * Reads {@code nats-route://[user:password@]host[:port]}; {@code nats://} and {@code tls://} mean the same.
     *
     * @throws IllegalArgumentException with what is wrong, without the secret
     */
    public static RouteAddress parse(String url) {
        URI uri;
        try {
            uri = new URI(url.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("error parsing route url: " + e.getReason(), e);
        }
        if (uri.getScheme() == null || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "error parsing route url: it must read nats-route://host:port, with user:password@ before the host");
        }
        String host = uri.getHost();
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        String info = uri.getRawUserInfo();
        int colon = info == null ? -1 : info.indexOf(':');
        String user = info == null ? null : decode(colon < 0 ? info : info.substring(0, colon));
        String password = colon < 0 ? null : decode(info.substring(colon + 1));
        return new RouteAddress(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), user, password);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** {@code host:port}, never with the secret. */
    public String hostPort() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return hostPort();
    }
}
