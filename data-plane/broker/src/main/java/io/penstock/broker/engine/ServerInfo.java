package io.penstock.broker.engine;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.TlsOptions;
import io.penstock.broker.WebSocketOptions;
import java.net.InetSocketAddress;

/** Puts together what a connection is told about the server. */
final class ServerInfo {
    private ServerInfo() {}

    static byte[] line(
            BrokerEngine engine, ClientConnection connection, int maxPayload, boolean lameDuck, LocalAccount boundTo) {
        BrokerOptions options = engine.options();
        ConnectionInfo info = connection.info();
        boolean webSocket = info.type() == ConnectionType.WEBSOCKET;
        WebSocketOptions ws = options.webSocket();
        TlsOptions tls = webSocket ? ws.tls() : options.tls();
        boolean optional = tls != null && !webSocket && options.allowNonTls();
        InetSocketAddress address = webSocket ? engine.webSocketAddress() : engine.clientAddress();
        String advertised = webSocket ? ws.advertise() : options.clientAdvertise();
        String host = webSocket ? ws.host() : options.host();
        int port = address == null ? (webSocket ? ws.port() : options.port()) : address.getPort();
        return new InfoJson(
                        engine.identity(),
                        advertised == null ? host : hostOf(advertised),
                        advertised == null ? port : portOf(advertised, port),
                        options.headers(),
                        engine.authenticator().announcesAuthentication(info.type()),
                        tls != null && !optional,
                        tls != null && tls.verify(),
                        optional,
                        maxPayload,
                        options.jetStream(),
                        info.id(),
                        info.remoteHost(),
                        info.nonce(),
                        engine.announcedUrls(webSocket),
                        lameDuck,
                        boundTo == null ? null : boundTo.name(),
                        boundTo != null && boundTo.isSystem())
                .line();
    }

    private static String hostOf(String advertised) {
        int colon = advertised.lastIndexOf(':');
        return colon < 0 ? advertised : advertised.substring(0, colon);
    }

    private static int portOf(String advertised, int otherwise) {
        int colon = advertised.lastIndexOf(':');
        return colon < 0 ? otherwise : Integer.parseInt(advertised.substring(colon + 1));
    }
}
