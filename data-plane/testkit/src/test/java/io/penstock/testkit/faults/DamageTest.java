package io.penstock.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.penstock.testkit.Programs;
import io.penstock.testkit.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flipped bit anywhere in the store is never served as data, never silent, and never costs more than it hit. */
@Tag("faults")
// "try": close() of the client's types may be interrupted, which ends a test anyway.
@SuppressWarnings("try")
class DamageTest {
    private static final int MESSAGES = 400;
    private static final int FLIPS = Integer.getInteger("penstock.flips", 25);
    private static final String CONFIGURATION = "jetstream { store_dir: \"@STORE@\" }\n";

    private final long seed = Long.getLong("penstock.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void aFlippedBitIsNeverServedAndNeverSilent(@TempDir Path folder) throws Exception {
        Map<Long, String> stored = new HashMap<>();
        try (ServerProcess server = ServerProcess.start(Programs.broker(), folder.resolve("node"), CONFIGURATION)) {
            fill(server.url(), stored);
            assertThat(server.stop()).isZero();
            Path store = server.folder().resolve("store");
            Path intact = folder.resolve("intact");
            copy(store, intact);
            List<Path> files = files(intact);
            assertThat(files).isNotEmpty();
            for (int flip = 0; flip < FLIPS; flip++) {
                Path hit = files.get(random.nextInt(files.size()));
                long offset = random.nextLong(Files.size(hit));
                String what = intact.relativize(hit) + " at " + offset + " (seed " + seed + ")";
                restore(intact, store);
                flip(store.resolve(intact.relativize(hit).toString()), offset);
                checkOneFlip(server, stored, what);
            }
        }
    }

    private static void checkOneFlip(ServerProcess server, Map<Long, String> stored, String what) throws Exception {
        int logBefore = server.logText().length();
        boolean started = starts(server);
        if (!started) {
            // Refusing is right when the damage is named: an operator can restore the file.
            assertThat(server.logText().substring(logBefore)).as(what).containsIgnoringCase("damage");
            return;
        }
        int missing = 0;
        try (Connection connection = connect(server.url())) {
            for (Map.Entry<Long, String> message : stored.entrySet()) {
                String payload = read(connection, message.getKey());
                if (payload == null) {
                    missing++;
                } else {
                    assertThat(payload)
                            .as("message %d after a flip in %s", message.getKey(), what)
                            .isEqualTo(message.getValue());
                }
            }
        } finally {
            server.stop();
        }
        if (missing > 0) {
            assertThat(server.logText().substring(logBefore))
                    .as("%d messages cannot be read after a flip in %s, and the log says so", missing, what)
                    .containsIgnoringCase("damage");
        }
    }

    private static boolean starts(ServerProcess server) {
        try {
            server.start();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static String read(Connection connection, long sequence) throws IOException {
        try {
            MessageInfo message = connection.jetStreamManagement().getMessage("DAMAGE", sequence);
            return new String(message.getData(), StandardCharsets.UTF_8);
        } catch (JetStreamApiException e) {
            return null;
        }
    }

    private static void fill(String url, Map<Long, String> stored)
            throws IOException, InterruptedException, JetStreamApiException {
        try (Connection connection = connect(url)) {
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name("DAMAGE")
                            .subjects("damage.>")
                            .storageType(StorageType.File)
                            .build());
            for (int i = 0; i < MESSAGES; i++) {
                String value = "value " + i + " " + "x".repeat(i % 50);
                long sequence = connection
                        .jetStream()
                        .publish("damage." + i % 7, value.getBytes(StandardCharsets.UTF_8))
                        .getSeqno();
                stored.put(sequence, value);
            }
        }
    }

    private static Connection connect(String url) throws IOException, InterruptedException {
        return Nats.connect(Options.builder()
                .server(url)
                .noReconnect()
                .connectionTimeout(Duration.ofSeconds(60))
                .build());
    }

    private static void flip(Path file, long offset) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) offset] ^= 0x10;
        Files.write(file, bytes);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> found = new ArrayList<>();
            for (Path path : walk.sorted().toList()) {
                if (Files.isRegularFile(path) && Files.size(path) > 0) {
                    found.add(path);
                }
            }
            return found;
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path path : walk.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }

    private static void restore(Path intact, Path store) throws IOException {
        try (Stream<Path> walk = Files.walk(store)) {
            for (Path path : walk.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        copy(intact, store);
    }
}
