package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Small configurations, one by one, against recorded outcomes and against a real server. */
class ConfigTableTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("NAMEENV", "bob", "PORTENV", "4444");

    @TempDir
    private Path directory;

    /** A configuration of the table. A backslash at the end of the text stands for no line break there. */
    private record Row(String name, String text, String outcome) {}

    @TestFactory
    Stream<DynamicTest> rows() throws IOException {
        return read().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.name(),
                        () -> assertThat(outcome(row)).as(row.text()).isEqualTo(row.outcome())));
    }

    /** Where both accept, the digests are equal; where one refuses, so does the other, unless the row says why not. */
    @Tag("wire")
    @TestFactory
    Stream<DynamicTest> agreesWithARealServer() throws IOException {
        Path server = realServer();
        return read().stream()
                .filter(row -> !row.outcome().contains("is ignored:"))
                .filter(row -> !row.name().endsWith("-stricter"))
                .map(row -> DynamicTest.dynamicTest(row.name(), () -> {
                    String theirs = theirs(server, row);
                    String ours = row.outcome();
                    // Warnings alone make their check fail; ours says them and goes on.
                    boolean warnsOnly = ours.contains("\nvalid (") && !theirs.contains(" is valid (");
                    if (ours.contains("valid (") && !warnsOnly) {
                        String digest = ours.substring(ours.indexOf("(sha256:"));
                        assertThat(theirs).as(row.text()).contains(digest.strip());
                    } else if (!warnsOnly) {
                        assertThat(theirs).as(row.text()).doesNotContain(" is valid (");
                    }
                }));
    }

    private String outcome(Row row) throws IOException, Flags.UsageException {
        Path file = write(row);
        try {
            Configuration configuration =
                    Configuration.load(Flags.parse(List.of("-c", file.toString())), ENVIRONMENT::get);
            Stream<String> warnings = configuration.warnings().stream().map(ConfigProblem::toString);
            String digest = "valid (" + configuration.options().configDigest() + ")";
            return Stream.concat(warnings, Stream.of(digest))
                    .collect(Collectors.joining("\n"))
                    .replace(file.toString(), "FILE");
        } catch (ConfigException e) {
            return e.getMessage().replace(file.toString(), "FILE").replace(directory + "/", "");
        }
    }

    private Path write(Row row) throws IOException {
        Files.writeString(directory.resolve("inc.txt"), "port: 4333\nhost: b\n");
        Files.writeString(directory.resolve("inc2.txt"), "user: a, password: b");
        Path file = directory.resolve("row.conf");
        Files.writeString(file, row.text());
        return file;
    }

    private String theirs(Path server, Row row) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(server.toString(), "-t", "-c", write(row).toString()).redirectErrorStream(true);
        builder.environment().putAll(ENVIRONMENT);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    private static Path realServer() {
        String home = System.getProperty("user.home");
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                                .map(folder -> Path.of(folder, "nats-server")),
                        Stream.of(Path.of(home, "go", "bin", "nats-server")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> {
                    Assumptions.abort("no nats-server to compare with");
                    return null;
                });
    }

    private static List<Row> read() throws IOException {
        String table;
        try (var in = ConfigTableTest.class.getResourceAsStream("/config/table.txt")) {
            table = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Row> rows = new ArrayList<>();
        for (String part : table.split("(?m)^=== ")) {
            if (part.startsWith("#")) {
                continue;
            }
            String name = part.substring(0, part.indexOf('\n'));
            String[] halves = part.substring(part.indexOf('\n') + 1).split("(?m)^--- \n", 2);
            rows.add(new Row(name, unescape(halves[0]), unescape(halves[1]).strip()));
        }
        assertThat(rows).hasSizeGreaterThan(100);
        return rows;
    }

    private static String unescape(String text) {
        return text.replace("\\\\", "\u0000")
                .replace("\\\n", "")
                .replace("\\r", "\r")
                .replace("\\t", "\t")
                .replace('\u0000', '\\');
    }
}
