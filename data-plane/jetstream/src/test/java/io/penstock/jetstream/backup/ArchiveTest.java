package io.penstock.jetstream.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.RestoredStream;
import io.penstock.protocol.jetstream.AckPolicy;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StoredMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveTest {
    private static final long NOW = 1_800_000_000_000_000_000L;
    private static final StreamConfig CONFIG =
            StreamConfig.builder().name("S").maxMsgSize(-1).build();

    @TempDir
    private Path directory;

    private static byte[] resource(String name) {
        try (InputStream in = ArchiveTest.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- frames ---------------------------------------------------------------------------------------------------

    @Test
    void readsWhatAnotherS2WriterCompressed() throws Exception {
        byte[] content = new S2Input(new ByteArrayInputStream(resource("repeats.s2"))).readAllBytes();
        assertThat(content).hasSize(390_653);
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)))
                .isEqualTo("7012999266cf67301661cc8e0be709a72219d41d1131dd32fb7a4dcc11413e4b");
    }

    @Test
    void readsBackWhatItWrote() throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 60; i++) {
            byte[] content = new byte[random.nextInt(200_000)];
            int distinct = 1 + random.nextInt(200);
            for (int at = 0; at < content.length; at++) {
                content[at] = (byte) (random.nextInt(10) == 0 ? random.nextInt(distinct) : 7);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (FrameOutput out = new FrameOutput(bytes)) {
                out.write(content);
            }
            assertThat(new S2Input(new ByteArrayInputStream(bytes.toByteArray())).readAllBytes())
                    .as("round %d of seed 11", i)
                    .isEqualTo(content);
        }
    }

    // --- archives -------------------------------------------------------------------------------------------------

    private static byte[] state(int first, int last, int messages, int consumers) {
        return ("{\"messages\":" + messages + ",\"first_seq\":" + first + ",\"last_seq\":" + last
                        + ",\"last_ts\":\"2026-11-30T13:40:55.5Z\",\"consumer_count\":" + consumers + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static ArchiveEntry stated(int first, int last, int messages, int consumers) {
        return new ArchiveEntry(ArchiveEntry.STATE, NOW, 0, 0, state(first, last, messages, consumers));
    }

    private static ArchiveEntry message(String subject, long sequence, String headers, String payload) {
        byte[] body = (headers + payload).getBytes(StandardCharsets.ISO_8859_1);
        return new ArchiveEntry(subject, NOW - 1000 + sequence, sequence, headers.length(), body);
    }

    private static byte[] archive(ArchiveEntry... entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FrameOutput out = new FrameOutput(bytes)) {
            ArchiveWriter writer = new ArchiveWriter(out);
            for (ArchiveEntry entry : entries) {
                writer.write(entry);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static ConsumerState consumer() {
        ConsumerConfig config = ConsumerConfig.builder()
                .name("C")
                .durableName("C")
                .ackPolicy(AckPolicy.EXPLICIT)
                .ackWait(30_000_000_000L)
                .build();
        ConsumerState state = new ConsumerState(1, "C", NOW, config);
        state.startAt(1);
        for (long s = 3; s <= 6; s++) {
            state.deliver(s, NOW, NOW + 30_000_000_000L);
        }
        state.redeliver(4, NOW + 5, NOW + 5 + 30_000_000_000L);
        state.ack(3, NOW);
        state.ack(5, NOW);
        return state;
    }

    private static byte[] sound() {
        return archive(
                stated(3, 9, 3, 1),
                ConsumerEntry.write(consumer(), NOW),
                message("a.b", 3, "NATS/1.0\r\nNats-Msg-Id: x\r\n\r\n", "three"),
                message("a.c", 4, "", "four"),
                message("a.b", 7, "", ""),
                ArchiveEntry.END);
    }

    private List<StoredMessage> read(byte[] bytes) throws IOException, InterruptedException {
        Path file = directory.resolve("archive");
        Files.write(file, bytes);
        Archive archive = new Archive(() -> Files.newInputStream(file));
        RestoredStream rest = new RestoredStream("A", CONFIG, NOW);
        archive.verify(CONFIG, rest, UnaryOperator.identity(), 0, (s, h, p) -> s + h + p);
        List<StoredMessage> messages = new ArrayList<>();
        archive.messages(m ->
                messages.add(new StoredMessage(m.sequence(), m.timestampNanos(), m.name(), new byte[0], m.body())));
        assertThat(archive.end(rest, CONFIG)).isNotEmpty();
        return messages;
    }

    private void refuses(byte[] bytes, String because) {
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining(because);
    }

    @Test
    void readsWhatItWroteAndWhatTheReferenceServerWrote() throws Exception {
        assertThat(read(sound()).stream().map(StoredMessage::sequence)).containsExactly(3L, 4L, 7L);
        assertThat(read(resource("reference.arc.s2")).stream().map(StoredMessage::sequence))
                .containsExactly(2L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void refusesEveryFlippedBitThatChangesAnything() throws Exception {
        for (byte[] whole : List.of(sound(), resource("reference.arc.s2"))) {
            byte[] content = new S2Input(new ByteArrayInputStream(whole)).readAllBytes();
            int harmless = 0;
            for (int bit = 0; bit < whole.length * 8; bit += 7) {
                byte[] damaged = whole.clone();
                damaged[bit >>> 3] ^= (byte) (1 << (bit & 7));
                try {
                    read(damaged);
                    // A copy may have been taken from another place where the same bytes are.
                    assertThat(new S2Input(new ByteArrayInputStream(damaged)).readAllBytes())
                            .as("bit " + bit)
                            .isEqualTo(content);
                    harmless++;
                } catch (ArchiveException e) {
                    assertThat(e).hasMessageNotContaining("null");
                }
            }
            assertThat(harmless).isLessThan(10);
        }
    }

    @Test
    void refusesEveryCut() {
        for (byte[] whole : List.of(sound(), resource("reference.arc.s2"))) {
            for (int length = 0; length < whole.length; length += 3) {
                byte[] cut = java.util.Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> read(cut)).as("length " + length).isInstanceOf(ArchiveException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../x", "/etc/x", "..\\x", "a/b", "a.b", "", "*", ">"})
    void refusesConsumersWithNamesOfFiles(String name) {
        byte[] body = ConsumerEntry.write(consumer(), NOW).body();
        refuses(
                archive(stated(3, 9, 0, 1), new ArchiveEntry("consumers/" + name, NOW, 0, 0, body), ArchiveEntry.END),
                "is not the name of a consumer");
    }

    @Test
    void refusesEntriesThatAreNoMessages() {
        for (String name : List.of("../../x", "/etc/passwd", "meta.inf")) {
            ArchiveEntry file = new ArchiveEntry(name, NOW, 0, 0, new byte[] {1});
            refuses(archive(file, ArchiveEntry.END), "the archive begins with");
            refuses(archive(stated(1, 9, 1, 1), file, ArchiveEntry.END), "a consumer should follow");
            refuses(archive(stated(1, 9, 1, 0), file, ArchiveEntry.END), "stands where messages should");
        }
        refuses(archive(stated(1, 9, 1, 0), message("../../x", 1, "", "x"), ArchiveEntry.END), "no valid subject");
    }

    @Test
    void refusesSizesNobodyHas() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FrameOutput out = new FrameOutput(bytes)) {
            new ArchiveWriter(out).write(stated(1, 9, 1, 0));
            // A message of 10 GB: length of its name, time, sequence, headers, payload.
            out.write(new byte[] {1, 2, 1, 0, (byte) 0x80, (byte) 0xc8, (byte) 0xaf, (byte) 0xa0, 0x25, 'a'});
        }
        refuses(bytes.toByteArray(), "an entry says its payload has 10000000000 bytes");
        // A block that says it comes to 4 GB.
        byte[] block = {
            (byte) 0xff, 6, 0, 0, 'S', '2', 's', 'T', 'w', 'O', 0, 10, 0, 0, 1, 2, 3, 4, -1, -1, -1, -1, 15, 0
        };
        refuses(block, "a compressed block says 4294967295 bytes");
    }

    @Test
    void refusesWhatContradictsItself() {
        refuses(archive(stated(5, 2, 1, 0), ArchiveEntry.END), "contradicts itself");
        refuses(archive(stated(1, 2, 9, 0), ArchiveEntry.END), "contradicts itself");
        refuses(archive(stated(1, 2, 2, 0), message("a", 3, "", ""), ArchiveEntry.END), "out of order");
        refuses(
                archive(stated(1, 2, 2, 0), message("a", 2, "", ""), message("a", 2, "", ""), ArchiveEntry.END),
                "out of order");
        refuses(archive(stated(1, 2, 2, 0), message("a", 1, "no headers", ""), ArchiveEntry.END), "headers");
        refuses("PK zip, or a tar of an older server".getBytes(StandardCharsets.UTF_8), "not an archive");
    }

    @Test
    void carriesWhatAConsumerHasDone() throws IOException {
        ConsumerState before = consumer();
        ConsumerEntry entry = ConsumerEntry.read(ConsumerEntry.write(before, NOW));
        assertThat(entry.name()).isEqualTo("C");
        assertThat(entry.progress()).isEqualTo(before.progress());
        assertThat(entry.progress().pending())
                .extracting(p -> p.sequence() + ":" + p.deliveries())
                .containsExactly("4:2", "6:1");
        assertThat(entry.progress().floorStream()).isEqualTo(3);
    }
}
