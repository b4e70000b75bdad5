package io.penstock.localstack.service;

import io.penstock.localstack.process.Java;
import io.penstock.localstack.process.ProcessSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How a Quarkus application of ours is started here: small heap, quick compiler, no core dumps. */
final class QuarkusApplication {
    private QuarkusApplication() {}

    static ProcessSpec start(Path application, Path folder, Map<String, String> variables) {
        return new ProcessSpec(
                List.of(
                        Java.executable(),
                        "-Xms32m",
                        "-Xmx320m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-jar",
                        application.resolve("quarkus-run.jar").toString()),
                folder,
                variables);
    }
}
