package io.penstock.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.penstock.testkit.Programs;
import io.penstock.testkit.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk refuses, loses nothing that was acknowledged, and is got over when there is room again. */
@Tag("faults")
// "try": close() of the client's types may be interrupted, which ends a test anyway.
@SuppressWarnings("try")
class DiskFullTest {
    private static final int DISK_MIB = 96;
    private static final int MESSAGE_BYTES = 64 * 1024;

    @Test
    void aFullDiskRefusesAndLosesNothingAcknowledged(@TempDir Path folder) throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", disk.toString());
        try {
            Path filler = disk.resolve("filler");
            String configuration = "jetstream { store_dir: \"" + disk.resolve("store") + "\", max_file: 1G }\n";
            try (ServerProcess server = ServerProcess.start(Programs.broker(), folder.resolve("node"), configuration)) {
                Map<Long, Integer> acknowledged = new HashMap<>();
                run("fallocate", "-l", (DISK_MIB - 60) + "M", filler.toString());
                String refusal = fillUp(server.url(), acknowledged);
                assertThat(acknowledged).as("some fit before it was full").hasSizeGreaterThan(10);
                assertThat(refusal).as("the refusal").isNotEmpty();
                verify(server.url(), acknowledged);

                Files.delete(filler);
                server.kill();
                server.start();
                verify(server.url(), acknowledged);
                assertThat(publish(server.url(), acknowledged.size()))
                        .as("there is room again")
                        .isPositive();
            }
        } finally {
            run("umount", disk.toString());
        }
    }

    /** Publishes until refused; answers what the refusal said. */
    private static String fillUp(String url, Map<Long, Integer> acknowledged)
            throws IOException, InterruptedException, JetStreamApiException {
        try (Connection connection = connect(url)) {
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name("FULL")
                            .subjects("full")
                            .storageType(StorageType.File)
                            .build());
            JetStream stream = connection.jetStream();
            for (int i = 0; i < 2 * DISK_MIB * 16; i++) {
                try {
                    acknowledged.put(stream.publish("full", payload(i)).getSeqno(), i);
                } catch (JetStreamApiException | IOException e) {
                    return String.valueOf(e.getMessage());
                }
            }
            return "";
        }
    }

    private static void verify(String url, Map<Long, Integer> acknowledged)
            throws IOException, InterruptedException, JetStreamApiException {
        try (Connection connection = connect(url)) {
            for (Map.Entry<Long, Integer> message : acknowledged.entrySet()) {
                assertThat(connection
                                .jetStreamManagement()
                                .getMessage("FULL", message.getKey())
                                .getData())
                        .as("message %d", message.getKey())
                        .isEqualTo(payload(message.getValue()));
            }
        }
    }

    private static long publish(String url, int i) throws IOException, InterruptedException, JetStreamApiException {
        try (Connection connection = connect(url)) {
            return connection.jetStream().publish("full", payload(i)).getSeqno();
        }
    }

    private static byte[] payload(int i) {
        byte[] payload = new byte[MESSAGE_BYTES];
        byte[] mark = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(mark, 0, payload, 0, mark.length);
        return payload;
    }

    private static Connection connect(String url) throws IOException, InterruptedException {
        return Nats.connect(Options.builder()
                .server(url)
                .noReconnect()
                .connectionTimeout(Duration.ofSeconds(60))
                .build());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), output)
                .isZero();
    }
}
