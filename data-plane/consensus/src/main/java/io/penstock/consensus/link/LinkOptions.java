package io.penstock.consensus.link;

import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Settings of a node's peer links.
 *
 * @param name this node's name, unique in the cluster
 * @param cluster the cluster's name; nodes of another one are refused
 * @param host address to listen on
 * @param port port to listen on, 0 for any that is free
 * @param secret what the cluster's nodes share; whoever cannot prove that it knows it is refused. Empty when TLS alone
 *     decides
 * @param tls asked at each connection, so that new certificates count at once; null for connections in the clear
 * @param verifyPeers whether those who call must show a certificate
 * @param verifyHost whether the certificate of who is called must carry the host name
 * @param doubtMillis time without a sign of life after which listeners hear that a peer is silent; default 1,500
 * @param silenceMillis time without a sign of life after which a link counts as lost; default 3,000
 * @param backlogBytes bytes that may wait to be sent to a peer; default 64 MiB
 */
public record LinkOptions(
        String name,
        String cluster,
        String host,
        int port,
        String secret,
        Supplier<SSLContext> tls,
        boolean verifyPeers,
        boolean verifyHost,
        int doubtMillis,
        int silenceMillis,
        int backlogBytes) {

    /** Links in the clear, on loopback and a free port. */
    public static LinkOptions local(String name, String cluster, String secret) {
        return new LinkOptions(name, cluster, "127.0.0.1", 0, secret, null, false, false, 1_500, 3_000, 64 << 20);
    }

    public LinkOptions withAddress(String newHost, int newPort) {
        return new LinkOptions(
                name,
                cluster,
                newHost,
                newPort,
                secret,
                tls,
                verifyPeers,
                verifyHost,
                doubtMillis,
                silenceMillis,
                backlogBytes);
    }

    public LinkOptions withTls(Supplier<SSLContext> context, boolean peers, boolean hosts) {
        return new LinkOptions(
                name, cluster, host, port, secret, context, peers, hosts, doubtMillis, silenceMillis, backlogBytes);
    }
}
