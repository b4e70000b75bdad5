package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import java.util.Arrays;
import java.util.Random;

/** A random change, the same on a store and on its model, repeatable as a log entry is. */
record StoreOperation(int kind, long seed) {
    private static final String[] SUBJECTS = {
        "a.0", "a.1", "a.2", "a.3", "b.0", "b.1", "b.2", "c.1.x", "c.2.x", "zz", "a.\u00e9"
    };

    static StoreOperation random(Random random) {
        return new StoreOperation(random.nextInt(100), random.nextLong());
    }

    /** Applies to the model and, unless null, to the store, and compares the outcomes. */
    void apply(StoreModel model, StreamStore store) {
        Random random = new Random(seed);
        if (kind < 60) {
            append(model, store, random);
        } else if (kind < 65) {
            skip(model, store, random);
        } else if (kind < 92) {
            long sequence = random.nextInt(3) == 0 ? model.first() : random.nextLong(model.last + 3);
            boolean erase = random.nextInt(4) == 0;
            boolean held = model.messages.remove(sequence) != null;
            if (store != null) {
                assertThat(store.remove(sequence, erase)).isEqualTo(held);
            }
        } else {
            var filter = StoreModel.FILTERS.get(random.nextInt(StoreModel.FILTERS.size()));
            boolean bounded = random.nextBoolean();
            long below = bounded ? 1 + random.nextLong(model.last + 2) : 0;
            long keep = bounded ? 0 : random.nextInt(6) * 4L;
            long removed = model.purge(filter, below, keep);
            if (store != null) {
                assertThat(store.purge(filter, below, keep)).isEqualTo(removed);
            }
        }
    }

    private static void append(StoreModel model, StreamStore store, Random random) {
        String subject = SUBJECTS[random.nextInt(SUBJECTS.length)];
        byte[] headers = new byte[random.nextBoolean() ? 0 : 12 + random.nextInt(30)];
        byte[] payload = new byte[random.nextInt(50) == 0 ? 6000 : random.nextInt(200)];
        random.nextBytes(headers);
        if (random.nextBoolean()) {
            random.nextBytes(payload);
        } else {
            Arrays.fill(payload, (byte) random.nextInt(4));
        }
        long sequence = model.last + 1 + (random.nextInt(20) == 0 ? random.nextInt(5) : 0);
        long time = model.lastTime + random.nextInt(10);
        byte[] source = new byte[headers.length + payload.length + 7];
        System.arraycopy(headers, 0, source, 3, headers.length);
        System.arraycopy(payload, 0, source, 5 + headers.length, payload.length);
        if (store != null) {
            store.append(sequence, time, subject, source, 3, headers.length, 5 + headers.length, payload.length);
        }
        model.messages.put(sequence, new StoredMessage(sequence, time, subject, headers, payload));
        model.last = sequence;
        model.lastTime = time;
    }

    private static void skip(StoreModel model, StreamStore store, Random random) {
        long sequence = model.last + 1 + random.nextInt(3);
        long time = model.lastTime + random.nextInt(10);
        if (store != null) {
            store.skip(sequence, time);
        }
        model.last = sequence;
        model.lastTime = time;
    }
}
