package io.penstock.broker;

/**
 * What a client said in CONNECT. Absent strings are null; {@code verbose}, {@code pedantic} and {@code echo} are true
 * when absent, the other flags false.
 *
 * @param implicit the connection began without CONNECT, so every field has its default
 * @param protocol 0, or 1 when the client takes INFO updates
 * @param hasAccount whether the obsolete {@code account} or {@code new_account} field was there, which is refused
 */
public record ConnectRequest(
        boolean implicit,
        boolean verbose,
        boolean pedantic,
        boolean echo,
        boolean tlsRequired,
        String nkey,
        String jwt,
        String signature,
        String token,
        String user,
        String password,
        String name,
        String language,
        String version,
        int protocol,
        boolean hasAccount,
        boolean headers,
        boolean noResponders,
        String proxySignature) {

    /** A connection that began with another operation than CONNECT. */
    public static final ConnectRequest IMPLICIT = new ConnectRequest(
            true, true, true, true, false, null, null, null, null, null, null, null, null, null, 0, false, false, false,
            null);

    /** The same with credentials from elsewhere (WebSocket cookies) where CONNECT named none. */
    public ConnectRequest withDefaults(String jwt, String user, String password, String token) {
        return new ConnectRequest(
                implicit,
                verbose,
                pedantic,
                echo,
                tlsRequired,
                nkey,
                this.jwt != null ? this.jwt : jwt,
                signature,
                this.token != null ? this.token : token,
                this.user != null ? this.user : user,
                this.password != null ? this.password : password,
                name,
                language,
                version,
                protocol,
                hasAccount,
                headers,
                noResponders,
                proxySignature);
    }

    @Override
    public String toString() {
        return "ConnectRequest[name=" + name + ", language=" + language + ", version=" + version + ", user=" + user
                + ", secrets hidden]";
    }
}
