package io.penstock.broker;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The circumstances of a connection that authentication may look at.
 *
 * @param id the cid
 * @param remoteHost address of the peer in text, or what a trusted forwarding header named
 * @param nonce the text announced in INFO, which the client signs; null when none was
 * @param tls whether the bytes are encrypted
 * @param tlsVersion such as {@code 1.3}, null without TLS
 * @param tlsCipher null without TLS
 * @param peerCertificates chain the peer showed, its own first; empty when it showed none
 * @param listenerNoAuthUser user of connections without credentials on this listener (WebSocket), or null
 */
public record ConnectionInfo(
        long id,
        ConnectionKind kind,
        ConnectionType type,
        String remoteHost,
        int remotePort,
        String nonce,
        boolean tls,
        String tlsVersion,
        String tlsCipher,
        List<X509Certificate> peerCertificates,
        String listenerNoAuthUser) {}
