package io.penstock.localstack.service;

import io.penstock.localstack.NodePorts;
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
import java.util.stream.Collectors;

/**
 * A broker node in operator mode, in a zone of its own; its trust anchor comes from the account-service's public files.
 */
public final class BrokerNode implements Service {
    private final Stack stack;
    private final int index;

    /** @param index its place among the stack's nodes, from 0 */
    public BrokerNode(Stack stack, int index) {
        this.stack = stack;
        this.index = index;
    }

    /** Name of the node at a place. */
    public static String name(int index) {
        return "node-" + zone(index);
    }

    private static char zone(int index) {
        return (char) ('a' + index);
    }

    @Override
    public String name() {
        return name(index);
    }

    private NodePorts ports() {
        return stack.ports().nodes().get(index);
    }

    @Override
    public void prepare() {
        Path folder = stack.home().data(name());
        Path operator = AccountService.publicFiles(stack).resolve("operator.conf");
        String configuration = """
                # Written at every start by ./penstock up; edit the copy you start yourself, not this file.
                server_name: %s
                server_tags: ["az:%s"]
                listen: "127.0.0.1:%d"
                http: "127.0.0.1:%d"
                websocket {
                  listen: "127.0.0.1:%d"
                  no_tls: true
                  compression: true
                }
                jetstream {
                  store_dir: "%s"
                  unique_tag: "az:"
                }
                %sresolver {
                  type: full
                  dir: "%s"
                  allow_delete: true
                }
                include "%s"
                """.formatted(
                        name(),
                        zone(index),
                        ports().client(),
                        ports().monitor(),
                        ports().websocket(),
                        folder.resolve("store"),
                        cluster(),
                        folder.resolve("accounts"),
                        operator);
        try {
            Files.writeString(folder.resolve("node.conf"), configuration);
        } catch (IOException e) {
            throw new StackException("the node's configuration cannot be written: " + e.getMessage(), e);
        }
    }

    /** A node alone is no cluster. */
    private String cluster() {
        if (stack.ports().nodes().size() == 1) {
            return "";
        }
        String routes = stack.ports().nodes().stream()
                .map(node -> "\"nats-route://penstock:%s@127.0.0.1:%d\""
                        .formatted(stack.secrets().cluster(), node.routes()))
                .collect(Collectors.joining(", "));
        return """
                cluster {
                  name: local
                  listen: "127.0.0.1:%d"
                  peer_listen: "127.0.0.1:%d"
                  authorization { user: penstock, password: "%s" }
                  routes: [%s]
                }
                """.formatted(ports().routes(), ports().peers(), stack.secrets().cluster(), routes);
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
        return Probe.answers("http://127.0.0.1:" + ports().monitor() + "/healthz") && Probe.accepts(ports().client());
    }
}
