package io.penstock.localstack.service;

import io.penstock.localstack.Stack;
import io.penstock.localstack.StackException;
import io.penstock.localstack.process.Java;
import io.penstock.localstack.process.Probe;
import io.penstock.localstack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One broker node in operator mode; its trust anchor comes from the account-service's public files. */
public final class BrokerNode implements Service {
    private final Stack stack;

    public BrokerNode(Stack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "node-a";
    }

    @Override
    public void prepare() {
        Path folder = stack.home().data(name());
        Path operator = AccountService.publicFiles(stack).resolve("operator.conf");
        String configuration = """
                # Written at every start by ./penstock up; edit the copy you start yourself, not this file.
                server_name: node-a
                server_tags: ["az:a"]
                listen: "127.0.0.1:%d"
                http: "127.0.0.1:%d"
                websocket {
                  listen: "127.0.0.1:%d"
                  no_tls: true
                  compression: true
                }
                jetstream {
                  store_dir: "%s"
                }
                resolver {
                  type: full
                  dir: "%s"
                  allow_delete: true
                }
                include "%s"
                """.formatted(
                        stack.ports().client(),
                        stack.ports().monitor(),
                        stack.ports().websocket(),
                        folder.resolve("store"),
                        folder.resolve("accounts"),
                        operator);
        try {
            Files.writeString(folder.resolve("node.conf"), configuration);
        } catch (IOException e) {
            throw new StackException("the node's configuration cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public ProcessSpec process() {
        Path folder = stack.home().data(name());
        return new ProcessSpec(
                List.of(
                        stack.checkout()
                                .resolve("data-plane/server/target/dist/nats-server")
                                .toString(),
                        "-c",
                        folder.resolve("node.conf").toString()),
                folder,
                Map.of("JAVA_HOME", Java.home().toString()));
    }

    @Override
    public boolean ready() {
        return Probe.answers("http://127.0.0.1:" + stack.ports().monitor() + "/healthz")
                && Probe.accepts(stack.ports().client());
    }
}
