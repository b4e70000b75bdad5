package io.penstock.broker.sharing;

import io.penstock.broker.Account;
import io.penstock.broker.MessageTarget;
import io.penstock.broker.RoutedMessage;
import io.penstock.broker.Subscription;
import io.penstock.broker.sharing.LatencyTracker.Outcome;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A service import at work: a function in the importing account that carries requests into the exporting one under
 * their other subject, and gives them a reply subject that leads back.
 */
final class ServiceImport implements MessageTarget, Wiring {
    // Replies of this form are understood by JetStream as they are and lead nowhere else.
    private static final String ACK_PREFIX = "$JS.ACK.";

    private final Account importer;
    private final Account exporter;
    private final ImportSpec spec;
    private final ExportSpec export;
    private final ReplyRoutes replies;
    private final RequestInfo requestInfo;
    // Null when the export is not measured.
    private final LatencyTracker latency;
    private Subscription subscription;

    private ServiceImport(
            Account importer,
            Account exporter,
            ImportSpec spec,
            ExportSpec export,
            ReplyRoutes replies,
            RequestInfo requestInfo,
            LatencyTracker latency) {
        this.importer = importer;
        this.exporter = exporter;
        this.spec = spec;
        this.export = export;
        this.replies = replies;
        this.requestInfo = requestInfo;
        this.latency = latency;
    }

    static ServiceImport wire(
            Account importer,
            Account exporter,
            ImportSpec spec,
            ExportSpec export,
            ReplyRoutes replies,
            RequestInfo requestInfo,
            LatencyTracker latency) {
        ServiceImport wired = new ServiceImport(importer, exporter, spec, export, replies, requestInfo, latency);
        // The node a request is put to carries it over; the other nodes meet it in the exporting account.
        wired.subscription = importer.subscribeLocal(spec.path().local(), null, wired);
        return wired;
    }

    @Override
    public int deliver(RoutedMessage message) {
        String subject = spec.path().toRemote(message.subject());
        String mapped = exporter.mappings().map(subject, ThreadLocalRandom.current()::nextInt);
        if (mapped == null) {
            return 0;
        }
        LatencyTracker.Measurement measurement = latency == null ? null : latency.begin(message, spec.share());
        byte[] headers = requestInfo.addTo(message, spec.share(), exporter.isSystem());
        String reply = message.reply();
        if (reply == null || reply.isEmpty() || reply.startsWith(ACK_PREFIX)) {
            if (measurement != null) {
                latency.failed(measurement, Outcome.BAD_REQUEST);
            }
            return message.forward(exporter, mapped, reply, headers);
        }
        String routed = replies.open(importer, reply, export.responseType(), export.threshold(), latency, measurement);
        int reached = routed == null ? 0 : message.forward(exporter, mapped, routed, headers);
        if (reached == 0 && routed != null) {
            replies.cancel(routed);
        }
        if (reached == 0 && measurement != null) {
            latency.failed(measurement, Outcome.UNAVAILABLE);
        }
        return reached;
    }

    @Override
    public void close() {
        subscription.remove();
    }
}
