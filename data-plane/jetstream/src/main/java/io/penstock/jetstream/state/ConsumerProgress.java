package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.AckPolicy;
import java.util.List;

/**
 * How far a consumer has come, as a backup carries it.
 *
 * @param deliveredConsumer consumer sequence of the last delivery
 * @param deliveredStream stream sequence of the last first delivery
 * @param floorConsumer consumer sequence up to which all is acknowledged
 * @param floorStream stream sequence up to which all is acknowledged
 * @param pending what waits for an acknowledgement, sequences rise
 * @param exhausted what was given up but is still in the stream
 * @param initial what deliver policy last_per_subject began with and where it went on; empty for the others
 */
public record ConsumerProgress(
        long deliveredConsumer,
        long deliveredStream,
        long floorConsumer,
        long floorStream,
        List<Pending> pending,
        List<Long> exhausted,
        List<Long> initial) {
    /**
     * A message that waits.
     *
     * @param sequence in the stream
     * @param consumerSequence of its first delivery
     * @param deliveries how often it was delivered, from 1
     * @param deliveredAt when it was delivered last, nanoseconds since the epoch
     */
    public record Pending(long sequence, long consumerSequence, int deliveries, long deliveredAt) {}

    /**
     * Nothing behind the end of the stream, and nothing that contradicts itself.
     *
     * @throws IllegalArgumentException when something does
     */
    public ConsumerProgress within(long lastSequence, AckPolicy acks) {
        long delivered = Math.min(deliveredStream, lastSequence);
        long floor = Math.min(floorStream, lastSequence);
        if (deliveredConsumer < 0 || delivered < 0 || floorConsumer < 0 || floor < 0) {
            throw new IllegalArgumentException("a sequence is below 0");
        }
        if (floor > delivered || floorConsumer > deliveredConsumer) {
            throw new IllegalArgumentException("the ack floor is above what was delivered");
        }
        List<Pending> kept = acks == AckPolicy.NONE
                ? List.of()
                : pending.stream().filter(p -> p.sequence() <= delivered).toList();
        long before = 0;
        long consumerBefore = 0;
        for (Pending p : kept) {
            boolean rises = p.sequence() > before && p.consumerSequence() > consumerBefore;
            if (!rises || p.consumerSequence() > deliveredConsumer || p.deliveries() < 1 || p.deliveredAt() < 0) {
                throw new IllegalArgumentException("pending message " + p.sequence() + " does not fit");
            }
            before = p.sequence();
            consumerBefore = p.consumerSequence();
        }
        return new ConsumerProgress(
                deliveredConsumer, delivered, floorConsumer, floor, kept, within(exhausted, delivered), initial);
    }

    private static List<Long> within(List<Long> sequences, long last) {
        return sequences.stream().filter(s -> s > 0 && s <= last).toList();
    }
}
