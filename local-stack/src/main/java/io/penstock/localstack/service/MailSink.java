package io.penstock.localstack.service;

import io.penstock.localstack.Stack;
import io.penstock.localstack.process.Java;
import io.penstock.localstack.process.Probe;
import io.penstock.localstack.process.ProcessSpec;
import java.util.List;
import java.util.Map;

/** Takes every mail and shows it on a web page; nothing leaves the machine. */
public final class MailSink implements Service {
    private final Stack stack;

    public MailSink(Stack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "mail";
    }

    @Override
    public void prepare() {
        // It makes its folder itself.
    }

    @Override
    public ProcessSpec process() {
        return new ProcessSpec(
                List.of(
                        Java.executable(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        stack.checkout()
                                .resolve("local-stack/target/penstock-local-stack.jar")
                                .toString(),
                        "mail-sink",
                        "--smtp-port",
                        Integer.toString(stack.ports().smtp()),
                        "--web-port",
                        Integer.toString(stack.ports().mail()),
                        "--folder",
                        stack.home().data(name()).toString()),
                stack.home().data(name()),
                Map.of());
    }

    @Override
    public boolean ready() {
        return Probe.accepts(stack.ports().smtp()) && Probe.answers(stack.mailUrl() + "/api/messages");
    }
}
