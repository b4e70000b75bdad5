package io.penstock.jetstream;

import static io.penstock.jetstream.Answers.error;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Inbox;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.runtime.Room;
import io.penstock.storage.disk.TestingDisk;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What happens to publishers while the disk is nearly full, or checkpoints lag. */
class RoomTest {
    private static final long LOOK = 25_000_000L;

    /** As the test says. */
    private static final class Said implements Room {
        private boolean full;
        private boolean behind;

        @Override
        public boolean full() {
            return full;
        }

        @Override
        public boolean behind() {
            return behind;
        }
    }

    private final Said room = new Said();
    private final TestingNode node = new TestingNode();

    private void start() {
        node.room = room;
        node.start();
        node.createStream("S", "\"subjects\":[\"s\"],\"retention\":\"workqueue\"");
        node.createStream("M", "\"subjects\":[\"m\"],\"storage\":\"memory\"");
        node.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        assertThat(node.publish("s", "one").get("error")).isNull();
    }

    @Test
    void aDiskThatIsNearlyFullTakesNoMessagesButWhatMakesRoom() {
        start();
        room.full = true;

        JsonNode refused = node.publish("s", "two");
        assertThat(error(refused)).isEqualTo(10047);
        assertThat(refused.at("/error/description").asText()).isEqualTo("insufficient storage resources available");
        assertThat(node.publish("m", "in memory").get("error")).isNull();
        Message taken = node.request("$JS.API.CONSUMER.MSG.NEXT.S.c", "");
        assertThat(taken.payload()).isEqualTo("one");
        node.answer(taken, node.inbox(), "+ACK");
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isZero();

        room.full = false;
        assertThat(node.publish("s", "three").get("seq").asInt()).isEqualTo(2);
    }

    @Test
    void publishersWaitForCheckpointsInOrder() {
        start();
        room.behind = true;
        Inbox acks = node.inbox();
        for (int i = 0; i < 5; i++) {
            node.send("s", acks.subject, "v" + i);
        }
        node.loop.advance(4 * LOOK);
        assertThat(acks.messages).isEmpty();
        assertThat(error(node.api("STREAM.PURGE.S", ""))).isZero();

        room.behind = false;
        node.loop.advance(LOOK);
        assertThat(acks.messages).hasSize(5);
        for (int i = 0; i < 5; i++) {
            assertThat(TestingNode.json(acks.messages.get(i)).get("seq").asInt())
                    .isEqualTo(2 + i);
            String next = node.request("$JS.API.CONSUMER.MSG.NEXT.S.c", "").payload();
            assertThat(next).isEqualTo("v" + i);
        }
    }

    @Test
    void moreThanMayWaitIsTurnedAwayAndNothingOfItIsLost() {
        node.options = node.options.toBuilder().ingestMessages(3).build();
        start();
        room.behind = true;
        Inbox acks = node.inbox();
        for (int i = 0; i < 5; i++) {
            node.send("s", acks.subject, "v" + i);
        }
        node.loop.runAll();
        assertThat(acks.messages).hasSize(2).allSatisfy(message -> {
            assertThat(message.status()).isEqualTo("429 Too Many Requests");
            assertThat(error(TestingNode.json(message))).isEqualTo(10167);
        });

        room.behind = false;
        node.loop.advance(LOOK);
        assertThat(acks.messages).hasSize(5);
        assertThat(node.api("STREAM.INFO.S", "").at("/state/messages").asInt()).isEqualTo(4);
    }

    @Test
    void theReserveIsPartOfTheDiskAndRoomHasToComeBackBeforeMessagesDo() throws Exception {
        TestingDisk disk = new TestingDisk();
        AtomicLong written = new AtomicLong();
        DiskRoom real = new DiskRoom(disk, Path.of("/js"), written::get, () -> 0, 1 << 30, () -> {});
        disk.capacity(100_000);
        real.look();
        assertThat(real.reserve()).isEqualTo(5_000);
        assertThat(real.full()).isFalse();

        // Twice what was written since the last look may be on the disk already.
        written.set(47_600);
        assertThat(real.full()).isTrue();
        real.look();
        assertThat(real.full()).isFalse();

        disk.overwrite(Path.of("/js/file"), new byte[95_001]);
        real.look();
        assertThat(real.full()).isTrue();
        disk.overwrite(Path.of("/js/file"), new byte[94_000]);
        real.look();
        assertThat(real.full()).isTrue();
        disk.overwrite(Path.of("/js/file"), new byte[93_000]);
        real.look();
        assertThat(real.full()).isFalse();
    }

    @Test
    void aJournalThatGrowsTooLongHoldsPublishersUntilItIsAQuarterShorter() {
        AtomicLong journal = new AtomicLong();
        AtomicLong hurried = new AtomicLong();
        DiskRoom real =
                new DiskRoom(new TestingDisk(), Path.of("/js"), () -> 0, journal::get, 1000, hurried::incrementAndGet);
        journal.set(1000);
        real.look();
        assertThat(real.behind()).isFalse();
        journal.set(1001);
        real.look();
        real.look();
        assertThat(real.behind()).isTrue();
        assertThat(hurried).hasValue(1);
        journal.set(751);
        real.look();
        assertThat(real.behind()).isTrue();
        journal.set(750);
        real.look();
        assertThat(real.behind()).isFalse();
    }
}
