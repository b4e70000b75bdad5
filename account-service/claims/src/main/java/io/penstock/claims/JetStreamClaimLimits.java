package io.penstock.claims;

import java.util.Map;

/**
 * JetStream limits of an account, flat or of one tier. -1 is unlimited; 0 disables the storage, and means no limit
 * for streams, consumers, acknowledgements and stream sizes.
 *
 * @param memoryStorage bytes in memory
 * @param diskStorage bytes on disk
 * @param streams number of streams
 * @param consumers number of consumers
 * @param maxAckPending the most `max_ack_pending` of a consumer
 * @param memoryMaxStreamBytes the most bytes of one stream in memory
 * @param diskMaxStreamBytes the most bytes of one stream on disk
 * @param maxBytesRequired whether every stream must set `max_bytes`
 */
public record JetStreamClaimLimits(
        long memoryStorage,
        long diskStorage,
        long streams,
        long consumers,
        long maxAckPending,
        long memoryMaxStreamBytes,
        long diskMaxStreamBytes,
        boolean maxBytesRequired) {

    /** JetStream is off. */
    public static final JetStreamClaimLimits DISABLED = new JetStreamClaimLimits(0, 0, 0, 0, 0, 0, 0, false);

    public boolean isEnabled() {
        return memoryStorage != 0 || diskStorage != 0;
    }

    static JetStreamClaimLimits read(JsonObject json) throws InvalidTokenException {
        return new JetStreamClaimLimits(
                json.number("mem_storage"),
                json.number("disk_storage"),
                json.number("streams"),
                json.number("consumer"),
                json.number("max_ack_pending"),
                json.number("mem_max_stream_bytes"),
                json.number("disk_max_stream_bytes"),
                json.bool("max_bytes_required"));
    }

    void write(JsonFields fields) {
        fields.put("mem_storage", memoryStorage)
                .put("disk_storage", diskStorage)
                .put("streams", streams)
                .put("consumer", consumers)
                .put("max_ack_pending", maxAckPending)
                .put("mem_max_stream_bytes", memoryMaxStreamBytes)
                .put("disk_max_stream_bytes", diskMaxStreamBytes)
                .put("max_bytes_required", maxBytesRequired);
    }

    Map<String, Object> toJson() {
        JsonFields fields = new JsonFields();
        write(fields);
        return fields.toMap();
    }
}
