package io.penstock.broker.sharing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.RoutedMessage;
import io.penstock.broker.internal.EventIds;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.MessageOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Measures how long a service takes and publishes each measurement in the exporting account. Of services that answer once
 * only. Safe from any thread.
 */
final class LatencyTracker {
    private static final String TYPE = "io.nats.server.metric.v1.service_latency";
    private static final int ALL = 100;
    private static final byte[] NO_HEADERS = {};
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How a measured request ended. */
    enum Outcome {
        ANSWERED(200, ""),
        /** It had no reply subject. */
        BAD_REQUEST(400, "Bad Request"),
        /** The requester had gone when the answer came. */
        REQUESTER_GONE(408, "Request Timeout"),
        /** Nobody received it. */
        UNAVAILABLE(503, "Service Unavailable"),
        /** No answer came within the export's threshold. */
        TIMED_OUT(504, "Service Timeout");

        private final int status;
        private final String description;

        Outcome(int status, String description) {
            this.status = status;
            this.description = description;
        }
    }

    /**
     * One request being measured.
     *
     * @param headers those that asked for it, empty when it was drawn by lot
     */
    record Measurement(
            ObjectNode requester,
            long requesterRoundTrip,
            Map<String, String> headers,
            Instant time,
            long startNanos) {}

    private final Account exporter;
    private final ExportConfig.Latency settings;
    private final RequestInfo requestInfo;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    LatencyTracker(
            Account exporter,
            ExportConfig.Latency settings,
            RequestInfo requestInfo,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.exporter = exporter;
        this.settings = settings;
        this.requestInfo = requestInfo;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Begins to measure a request, or gives null when this one is not measured. */
    Measurement begin(RoutedMessage request, boolean share) {
        Map<String, String> headers = Map.of();
        if (settings.sampling() == 0) {
            Optional<Map<String, String>> asked = LatencySampling.requestedBy(request.headers());
            if (asked.isEmpty()) {
                return null;
            }
            headers = asked.get();
        } else if (settings.sampling() < ALL && ThreadLocalRandom.current().nextInt(ALL) >= settings.sampling()) {
            return null;
        }
        return new Measurement(
                requestInfo.describe(request, share, false),
                request.origin().roundTripNanos(),
                headers,
                clock.instant(),
                nanoTime.getAsLong());
    }

    /** Publishes a measurement whose answer has come. */
    void answered(Measurement measurement, RoutedMessage answer, Outcome outcome) {
        MessageOrigin responder = answer.origin();
        long taken = Math.max(0, nanoTime.getAsLong() - measurement.startNanos());
        long service = Math.max(0, taken - responder.roundTripNanos());
        publish(measurement, outcome, requestInfo.describe(answer, true, false), service, taken);
    }

    /** Publishes a measurement of a request that was not answered. */
    void failed(Measurement measurement, Outcome outcome) {
        long taken = Math.max(0, nanoTime.getAsLong() - measurement.startNanos());
        publish(measurement, outcome, null, 0, taken);
    }

    private void publish(Measurement measurement, Outcome outcome, ObjectNode responder, long service, long taken) {
        ObjectNode metric = JSON.createObjectNode();
        metric.put("type", TYPE);
        metric.put("id", EventIds.next());
        metric.put("timestamp", clock.instant().toString());
        metric.put("status", outcome.status);
        if (!outcome.description.isEmpty()) {
            metric.put("description", outcome.description);
        }
        metric.set("requestor", measurement.requester());
        if (responder != null) {
            metric.set("responder", responder);
        }
        if (!measurement.headers().isEmpty()) {
            ObjectNode headers = metric.putObject("header");
            measurement
                    .headers()
                    .forEach((name, value) -> headers.putArray(name).add(value));
        }
        // The request began when it left the requester, half a round trip before it came here and half after.
        metric.put(
                "start",
                measurement.time().minusNanos(measurement.requesterRoundTrip()).toString());
        metric.put("service", service);
        metric.put("system", 0);
        metric.put("total", measurement.requesterRoundTrip() + taken);
        InternalClient client = exporter.internalClient(ConnectionKind.ACCOUNT);
        boolean _ = client.publish(
                settings.subject(), null, NO_HEADERS, metric.toString().getBytes(StandardCharsets.UTF_8));
        client.flush();
    }
}
