package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.PendingSet;
import io.penstock.jetstream.state.StreamMachine;
import java.util.Random;

/** Picks the acknowledgements that are reported, as a share in percent. */
final class AckSampler {
    private AckSampler() {}

    /** Whether this one is picked; {@code frequency} is empty, a number or a number with a percent sign. */
    static boolean picks(String frequency, Random random) {
        if (frequency.isEmpty()) {
            return false;
        }
        int end = frequency.endsWith("%") ? frequency.length() - 1 : frequency.length();
        int percent = Integer.parseInt(frequency, 0, end, 10);
        return percent >= 100 || random.nextInt(100) < percent;
    }

    /** Reports the acknowledgement of this entry when it is picked. */
    static void report(
            Engine engine, AccountRuntime account, String stream, ConsumerState consumer, PendingSet.Entry entry) {
        if (!picks(consumer.config().sampleFreq(), engine.random())) {
            return;
        }
        long sent = entry.deadline() - StreamMachine.consumerWait(consumer, entry.deliveries());
        long taken = engine.loop().steady() - sent;
        account.advisories()
                .acked(
                        stream,
                        consumer.name(),
                        entry.consumerSequence(),
                        entry.streamSequence(),
                        taken,
                        entry.deliveries());
    }
}
