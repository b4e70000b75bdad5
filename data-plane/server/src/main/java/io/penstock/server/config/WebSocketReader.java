package io.penstock.server.config;

import io.penstock.broker.TlsOptions;
import io.penstock.broker.WebSocketOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads a {@code websocket} block. */
final class WebSocketReader extends BlockReader {
    /** Headers of the upgrade response that are not the user's to set. */
    private static final Set<String> RESERVED_HEADERS = Set.of(
            "host",
            "content-length",
            "connection",
            "upgrade",
            "nats-no-masking",
            "sec-websocket-accept",
            "sec-websocket-extensions",
            "sec-websocket-protocol",
            "sec-websocket-key",
            "sec-websocket-version");

    private String host = ServerOptions.DEFAULT_HOST;
    private int port;
    private String advertise;
    private TlsOptions tls;
    private boolean noTls;
    private boolean sameOrigin;
    private List<String> allowedOrigins = List.of();
    private Duration handshakeTimeout = WebSocketOptions.DEFAULT_HANDSHAKE_TIMEOUT;
    private boolean compression;
    private Duration authTimeout;
    private String jwtCookie;
    private String userCookie;
    private String passwordCookie;
    private String tokenCookie;
    private String noAuthUser;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private Duration pingInterval;

    private WebSocketReader(Problems problems) {
        super(problems);
    }

    /** The listener, or null when the block names no port: then there is none. */
    static WebSocketOptions read(ConfigValue value, Problems problems) throws ConfigException {
        WebSocketReader reader = new WebSocketReader(problems);
        reader.readAll(Values.block("websocket", value));
        return reader.build(value.position());
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "listen" -> {
                Values.HostPort listen = Values.listen(value);
                host = listen.host().isEmpty() ? ServerOptions.DEFAULT_HOST : listen.host();
                port = listen.port();
            }
            case "port" -> port = Values.port(key, value);
            case "host", "net" -> host = Values.text(value);
            case "advertise" -> advertise = Values.text(value);
            case "tls" -> tls(value);
            case "no_tls" -> noTls = Values.flag(value);
            case "same_origin" -> sameOrigin = Values.flag(value);
            case "allowed_origins", "allowed_origin", "allow_origins", "allow_origin", "origins", "origin" ->
                allowedOrigins = Values.texts(value);
            case "handshake_timeout" -> handshakeTimeout = Values.seconds("handshake timeout", value);
            case "compress", "compression" -> compression = Values.flag(value);
            case "ping_interval" -> pingInterval = Values.duration(key, value, problems);
            default -> {
                return identity(key, value);
            }
        }
        return true;
    }

    private boolean identity(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "authorization", "authentication" ->
                new AuthReader().readAll(Values.block("websocket authorization", value));
            case "jwt_cookie" -> jwtCookie = Values.text(value);
            case "user_cookie" -> userCookie = Values.text(value);
            case "pass_cookie" -> passwordCookie = Values.text(value);
            case "token_cookie" -> tokenCookie = Values.text(value);
            case "no_auth_user" -> noAuthUser = Values.text(value);
            case "headers" -> headers(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void headers(ConfigValue value) throws ConfigException {
        for (Map.Entry<String, ConfigValue> entry :
                Values.block("headers", value).entries().entrySet()) {
            if (RESERVED_HEADERS.contains(entry.getKey().toLowerCase(Locale.ROOT))) {
                problems.error(
                        entry.getValue().position(),
                        "websocket: invalid header \"" + entry.getKey() + "\" not allowed");
            } else {
                headers.put(entry.getKey(), Values.text(entry.getValue()));
            }
        }
    }

    private WebSocketOptions build(Position position) throws ConfigException {
        if (port == 0) {
            return null;
        }
        if (tls == null && !noTls) {
            throw new ConfigException(position, "websocket requires TLS configuration; no_tls: true starts without");
        }
        return new WebSocketOptions(
                host,
                port == ServerOptions.RANDOM_PORT ? 0 : port,
                advertise,
                noTls ? null : tls,
                sameOrigin,
                allowedOrigins,
                handshakeTimeout,
                compression,
                jwtCookie,
                userCookie,
                passwordCookie,
                tokenCookie,
                headers,
                noAuthUser,
                pingInterval,
                authTimeout);
    }

    private void tls(ConfigValue value) throws ConfigException {
        TlsReader.Tls read = TlsReader.read(value, problems);
        tls = read.options();
        if (read.mapToUser()) {
            problems.unavailable("verify_and_map", value, "users named by certificates of WebSocket clients are");
        }
    }

    /** {@code websocket.authorization}. */
    private final class AuthReader extends BlockReader {
        AuthReader() {
            super(WebSocketReader.this.problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "user", "username", "pass", "password", "token" -> {
                    if (!Values.text(value).isEmpty()) {
                        problems.unavailable(key, value, "credentials for WebSocket clients alone are");
                    }
                }
                case "timeout" -> authTimeout = Values.seconds("websocket authorization", value);
                default -> {
                    return false;
                }
            }
            return true;
        }
    }
}
