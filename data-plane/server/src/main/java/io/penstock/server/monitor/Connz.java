package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionSnapshot;
import io.penstock.broker.Identity;
import io.penstock.broker.SubscriptionSnapshot;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.protocol.Subjects;
import io.penstock.server.config.Durations;
import io.penstock.server.json.Nodes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** {@code /connz}: connections, open or closed. */
final class Connz implements Page {
    private final Source source;

    Connz(Source source) {
        this.source = source;
    }

    @Override
    public ObjectNode answer(Query query) throws PageException {
        ConnectionSort sort = ConnectionSort.of(query.text("sort", "sort"));
        Query.State state = query.state();
        if (sort.closedOnly() && state != Query.State.CLOSED) {
            throw new PageException(400, "sort by " + query.text("sort", "sort") + " only valid on closed connections");
        }
        Query.Subscriptions subscriptions = query.subscriptions();
        boolean auth = query.flag("auth", "auth");
        Paging paging = Paging.of(query);
        Filter filter = Filter.of(query);

        List<ConnectionSnapshot> all = new ArrayList<>();
        if (state != Query.State.CLOSED) {
            all.addAll(source.broker().openConnections(true));
        }
        if (state != Query.State.OPEN) {
            all.addAll(source.broker().closedConnections());
        }
        all.removeIf(connection -> !filter.accepts(connection));
        all.sort(sort.comparator());

        List<ConnectionSnapshot> shown = paging.slice(all);
        Instant now = source.clock().instant();
        ObjectNode page = Nodes.object();
        page.put("server_id", source.broker().identity().id());
        page.put("now", now.toString());
        page.put("num_connections", shown.size());
        page.put("total", all.size());
        page.put("offset", paging.offset());
        page.put("limit", paging.limit());
        ArrayNode list = page.putArray("connections");
        boolean withAuth = auth || filter.namesUser();
        shown.forEach(connection -> list.add(entry(connection, now, subscriptions, withAuth)));
        return page;
    }

    /** Which connections are asked for. */
    private record Filter(long cid, String user, String account, String subject) {
        static Filter of(Query query) throws PageException {
            String account = query.text("acc", "acc");
            String subject = Subjects.fromUtf8(query.text("filter_subject", "filter_subject"));
            if (!subject.isEmpty() && account.isEmpty()) {
                throw new PageException(400, "filter by subject only valid with account filtering");
            }
            return new Filter(query.whole("cid", "cid", 0), query.text("user", "user"), account, subject);
        }

        boolean namesUser() {
            return !user.isEmpty();
        }

        boolean accepts(ConnectionSnapshot connection) {
            return (cid == 0 || connection.id() == cid)
                    && (user.isEmpty() || user.equals(connection.identity().user()))
                    && (account.isEmpty() || account.equals(connection.account()))
                    && (subject.isEmpty() || connection.subscriptions().stream().anyMatch(this::matches));
        }

        private boolean matches(SubscriptionSnapshot subscription) {
            return Subjects.overlap(subscription.subject(), subject);
        }
    }

    private static ObjectNode entry(
            ConnectionSnapshot connection, Instant now, Query.Subscriptions subscriptions, boolean auth) {
        Instant end = connection.stopped() == null ? now : connection.stopped();
        ConnectRequest request = connection.request();
        ObjectNode entry = Nodes.object();
        entry.put("cid", connection.id());
        entry.put("kind", connection.kind().text());
        entry.put("type", connection.type().clientType());
        entry.put("ip", connection.remoteHost());
        entry.put("port", connection.remotePort());
        entry.put("start", connection.started().toString());
        entry.put("last_activity", connection.lastActivity().toString());
        Nodes.timeIfAny(entry, "stop", connection.stopped());
        if (connection.reason() != null) {
            entry.put("reason", connection.reason().text());
        }
        if (connection.roundTripNanos() > 0) {
            entry.put("rtt", Durations.format(Duration.ofNanos(connection.roundTripNanos())));
        }
        entry.put("uptime", Spans.format(Duration.between(connection.started(), end)));
        entry.put("idle", Spans.format(Duration.between(connection.lastActivity(), end)));
        entry.put("pending_bytes", connection.pendingBytes());
        entry.put("in_msgs", connection.inMessages());
        entry.put("out_msgs", connection.outMessages());
        entry.put("in_bytes", connection.inBytes());
        entry.put("out_bytes", connection.outBytes());
        entry.put("subscriptions", connection.subscriptions().size());
        Nodes.textIfAny(entry, "name", request.name());
        Nodes.textIfAny(entry, "lang", request.language());
        Nodes.textIfAny(entry, "version", request.version());
        tls(entry, connection.info(), auth);
        if (auth) {
            user(entry, connection);
        }
        subscriptions(entry, connection.subscriptions(), subscriptions);
        if (auth) {
            claims(entry, connection);
        }
        return entry;
    }

    private static void tls(ObjectNode entry, ConnectionInfo info, boolean auth) {
        if (info == null || !info.tls()) {
            return;
        }
        Nodes.textIfAny(entry, "tls_version", info.tlsVersion());
        Nodes.textIfAny(entry, "tls_cipher_suite", info.tlsCipher());
        if (auth && !info.peerCertificates().isEmpty()) {
            ArrayNode certificates = entry.putArray("tls_peer_certs");
            info.peerCertificates().forEach(certificate -> certificates.add(certificate(certificate)));
        }
    }

    private static ObjectNode certificate(X509Certificate certificate) {
        ObjectNode node = Nodes.object();
        node.put("subject", certificate.getSubjectX500Principal().getName());
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            node.put(
                    "spki_sha256",
                    HexFormat.of()
                            .formatHex(sha256.digest(certificate.getPublicKey().getEncoded())));
            node.put("cert_sha256", HexFormat.of().formatHex(sha256.digest(certificate.getEncoded())));
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that passed a handshake has an encoding", e);
        }
        return node;
    }

    private static void user(ObjectNode entry, ConnectionSnapshot connection) {
        Nodes.textIfAny(entry, "authorized_user", connection.identity().user());
        if (!AuthConfig.GLOBAL_ACCOUNT.equals(connection.account())) {
            Nodes.textIfAny(entry, "account", connection.account());
        }
    }

    private static void claims(ObjectNode entry, ConnectionSnapshot connection) {
        Identity identity = connection.identity();
        Nodes.textIfAny(entry, "jwt", identity.jwt());
        Nodes.textIfAny(entry, "issuer_key", identity.issuerKey());
        if (!AuthConfig.GLOBAL_ACCOUNT.equals(connection.account())) {
            Nodes.textIfAny(entry, "name_tag", connection.accountPublicName());
        }
        Nodes.textsIfAny(entry, "tags", identity.tags());
    }

    private static void subscriptions(
            ObjectNode entry, List<SubscriptionSnapshot> subscriptions, Query.Subscriptions wanted) {
        if (subscriptions.isEmpty()) {
            return;
        }
        switch (wanted) {
            case COUNT -> {}
            case SUBJECTS -> {
                ArrayNode list = entry.putArray("subscriptions_list");
                subscriptions.forEach(subscription -> list.add(Subjects.toUtf8(subscription.subject())));
            }
            case DETAIL -> {
                ArrayNode list = entry.putArray("subscriptions_list_detail");
                subscriptions.forEach(subscription -> list.add(SubDetail.of(subscription, false)));
            }
        }
    }
}
