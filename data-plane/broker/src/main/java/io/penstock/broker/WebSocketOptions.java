package io.penstock.broker;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The WebSocket listener.
 *
 * @param port 0 for a random free port
 * @param advertise {@code host:port} told to clients, or null
 * @param tls null for plain HTTP, which the configuration must ask for by {@code no_tls}
 * @param sameOrigin whether a browser's page must come from this host and port
 * @param allowedOrigins origins browsers may come from; empty means any
 * @param compression whether permessage-deflate is offered
 * @param jwtCookie name of the cookie that holds the user JWT, or null; likewise the next three
 * @param headers added to the answer of the upgrade
 * @param noAuthUser user of connections without credentials, or null
 * @param pingInterval null for that of the server
 * @param authTimeout null for that of the server
 */
public record WebSocketOptions(
        String host,
        int port,
        String advertise,
        TlsOptions tls,
        boolean sameOrigin,
        List<String> allowedOrigins,
        Duration handshakeTimeout,
        boolean compression,
        String jwtCookie,
        String userCookie,
        String passCookie,
        String tokenCookie,
        Map<String, String> headers,
        String noAuthUser,
        Duration pingInterval,
        Duration authTimeout) {

    public static final Duration DEFAULT_HANDSHAKE_TIMEOUT = Duration.ofSeconds(2);

    /** Plain HTTP, any origin, no compression. */
    public static WebSocketOptions plain(String host, int port) {
        return new WebSocketOptions(
                host,
                port,
                null,
                null,
                false,
                List.of(),
                DEFAULT_HANDSHAKE_TIMEOUT,
                false,
                null,
                null,
                null,
                null,
                Map.of(),
                null,
                null,
                null);
    }

    public WebSocketOptions withCompression() {
        return new WebSocketOptions(
                host,
                port,
                advertise,
                tls,
                sameOrigin,
                allowedOrigins,
                handshakeTimeout,
                true,
                jwtCookie,
                userCookie,
                passCookie,
                tokenCookie,
                headers,
                noAuthUser,
                pingInterval,
                authTimeout);
    }
}
