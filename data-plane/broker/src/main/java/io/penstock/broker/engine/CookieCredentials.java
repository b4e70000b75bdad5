package io.penstock.broker.engine;

import io.penstock.broker.ConnectRequest;

/** Credentials a browser sent as cookies; null where there is none. They fill only what CONNECT leaves open. */
record CookieCredentials(String jwt, String user, String password, String token) {
    static final CookieCredentials NONE = new CookieCredentials(null, null, null, null);

    ConnectRequest addTo(ConnectRequest request) {
        return request.withDefaults(jwt, user, password, token);
    }
}
