package io.penstock.broker.engine;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.penstock.broker.WebSocketOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rules of a WebSocket upgrade request. Pure. */
final class WebSocketUpgrade {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;

    private WebSocketUpgrade() {}

    /** Why a request is refused. */
    record Refusal(HttpResponseStatus status, String text) {}

    /** The refusal of a request, or null when it is good. */
    static Refusal check(HttpRequest request, WebSocketOptions options, boolean tls) {
        HttpHeaders headers = request.headers();
        if (!request.method().equals(HttpMethod.GET)) {
            return new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "request method must be GET");
        }
        if (isEmpty(headers.get(HttpHeaderNames.HOST))) {
            return bad("'Host' missing in request");
        }
        if (request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0) {
            return bad("HTTP/1.1 or later is needed");
        }
        if (!contains(headers.getAll(HttpHeaderNames.UPGRADE), "websocket")) {
            return bad("invalid value for header 'Upgrade'");
        }
        if (!contains(headers.getAll(HttpHeaderNames.CONNECTION), "upgrade")) {
            return bad("invalid value for header 'Connection'");
        }
        if (!isKey(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
            return bad("invalid value for header 'Sec-Websocket-Key'");
        }
        if (!contains(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION), "13")) {
            return bad("invalid value for header 'Sec-Websocket-Version'");
        }
        if (!isOriginAllowed(headers, options, tls)) {
            return new Refusal(HttpResponseStatus.FORBIDDEN, "origin not allowed");
        }
        String path = request.uri().split("\\?", 2)[0];
        if (path.endsWith("/mqtt") || path.endsWith("/leafnode")) {
            return new Refusal(HttpResponseStatus.NOT_FOUND, "nothing is served at this path");
        }
        return null;
    }

    private static Refusal bad(String text) {
        return new Refusal(HttpResponseStatus.BAD_REQUEST, text);
    }

    private static boolean isEmpty(String text) {
        return text == null || text.isEmpty();
    }

    private static boolean contains(List<String> values, String wanted) {
        for (String value : values) {
            for (String part : value.split(",")) {
                if (part.strip().toLowerCase(Locale.ROOT).equals(wanted)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isKey(String key) {
        try {
            return key != null && Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException _) {
            // Not base64.
            return false;
        }
    }

    private static boolean isOriginAllowed(HttpHeaders headers, WebSocketOptions options, boolean tls) {
        String origin = headers.get(HttpHeaderNames.ORIGIN);
        if (origin == null || (!options.sameOrigin() && options.allowedOrigins().isEmpty())) {
            return true;
        }
        String page = hostAndPort(origin);
        if (page == null) {
            return false;
        }
        if (options.sameOrigin()) {
            String here = hostAndPort((tls ? "https://" : "http://") + headers.get(HttpHeaderNames.HOST));
            if (!page.equals(here)) {
                return false;
            }
        }
        return options.allowedOrigins().isEmpty()
                || options.allowedOrigins().stream().anyMatch(allowed -> isSameOrigin(allowed, origin));
    }

    private static boolean isSameOrigin(String allowed, String origin) {
        URI a = parse(allowed);
        URI b = parse(origin);
        return a != null
                && b != null
                && a.getScheme().equalsIgnoreCase(b.getScheme())
                && hostAndPort(allowed).equals(hostAndPort(origin));
    }

    private static String hostAndPort(String url) {
        URI uri = parse(url);
        if (uri == null) {
            return null;
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
        return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    private static URI parse(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() == null || uri.getScheme() == null ? null : uri;
        } catch (IllegalArgumentException _) {
            // Such an origin matches nothing.
            return null;
        }
    }

    /** Value of {@code Sec-WebSocket-Accept}. */
    static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is not available", e);
        }
    }

    /** Whether the client offers to compress. */
    static boolean offersCompression(HttpHeaders headers) {
        for (String value : headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)) {
            for (String offer : value.split(",")) {
                if (offer.split(";", 2)[0].strip().equalsIgnoreCase("permessage-deflate")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Cookies by name, the first of a name. */
    static Map<String, String> cookies(HttpHeaders headers) {
        Map<String, String> cookies = new HashMap<>();
        for (String value : headers.getAll(HttpHeaderNames.COOKIE)) {
            for (String pair : value.split(";")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    String text = pair.substring(equals + 1).strip();
                    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
                    cookies.putIfAbsent(
                            pair.substring(0, equals).strip(), quoted ? text.substring(1, text.length() - 1) : text);
                }
            }
        }
        return cookies;
    }

    /** The client's address a proxy reports, or null. */
    static String forwardedFor(HttpHeaders headers) {
        String value = headers.get("X-Forwarded-For");
        if (value == null) {
            return null;
        }
        String first = value.split(",", 2)[0].strip();
        boolean address =
                first.matches("[0-9.]{7,15}") || (first.contains(":") && first.matches("[0-9a-fA-F:.]{2,45}"));
        return address ? first : null;
    }
}
