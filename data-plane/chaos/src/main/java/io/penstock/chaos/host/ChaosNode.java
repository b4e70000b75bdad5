package io.penstock.chaos.host;

import io.penstock.testkit.faults.PowerLossDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One server process with a network and a disk of its own. */
public final class ChaosNode implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    private final int number;
    private final Path folder;
    private final Path executable;
    private final Network network;
    private final PowerLossDisk disk;
    private final WallClock clock;
    private Process process;

    ChaosNode(int number, int nodes, Path folder, Path executable, Network network, String extra) {
        this.number = number;
        this.folder = folder;
        this.executable = executable;
        this.network = network;
        this.disk = new PowerLossDisk(folder);
        this.clock = new WallClock(folder);
        try {
            Files.writeString(folder.resolve("node.conf"), configuration(nodes, extra));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String configuration(int nodes, String extra) {
        List<String> routes = new ArrayList<>();
        for (int node = 1; node <= nodes; node++) {
            routes.add("\"nats-route://chaos:chaos@" + network.address(node) + ":6222\"");
        }
        return """
                server_name: %s
                server_tags: ["az:%s"]
                listen: "0.0.0.0:4222"
                lame_duck_duration: "30s"
                lame_duck_grace_period: "2s"
                http: "0.0.0.0:8222"
                jetstream { store_dir: "%s", unique_tag: "az:"%s }
                cluster {
                  name: chaos
                  listen: "%s:6222"
                  authorization { user: chaos, password: chaos }
                  routes: [%s]
                }
                system_account: SYS
                accounts {
                  SYS { users: [{ user: sys, password: sys }] }
                  APP { jetstream: enabled, users: [{ user: app, password: app }] }
                  OTHER { jetstream: enabled, users: [{ user: other, password: other }] }
                }
                """.formatted(
                        name(),
                        (char) ('a' + number - 1),
                        disk.folder().resolve("store"),
                        extra.isEmpty() ? "" : ", " + extra,
                        network.address(number),
                        String.join(", ", routes));
    }

    /** Number of the node, from 1. */
    public int number() {
        return number;
    }

    public String name() {
        return "n" + number;
    }

    public String url() {
        return "nats://" + network.address(number) + ":4222";
    }

    public WallClock clock() {
        return clock;
    }

    /** Where its store is. */
    public Path store() {
        return disk.folder().resolve("store");
    }

    public Path log() {
        return folder.resolve("node.log");
    }

    public boolean running() {
        return process != null && process.isAlive();
    }

    /** The process, 0 when it does not run. */
    public long pid() {
        return running() ? process.pid() : 0;
    }

    public void start() {
        if (running()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(network.enter(number)));
        command.add(executable.toString());
        command.add("-c");
        command.add(folder.resolve("node.conf").toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().putAll(clock.environment());
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM, and the end. */
    public void stop() {
        Commands.run("kill", "-TERM", Long.toString(process.pid()));
        awaitEnd();
    }

    /** Lame duck mode, in which clients are let go one by one, and the end. */
    public void retire() {
        Commands.run("kill", "-USR2", Long.toString(process.pid()));
        awaitEnd();
    }

    public void freeze() {
        Commands.run("kill", "-STOP", Long.toString(process.pid()));
    }

    public void thaw() {
        Commands.run("kill", "-CONT", Long.toString(process.pid()));
    }

    /** Whether the process is stopped by a signal, as the kernel says. */
    public boolean frozen() {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            return false;
        }
    }

    /** Pulls the plug: what was not forced is gone, the process too. */
    public void losePower() {
        disk.cut(process.pid());
        awaitEnd();
    }

    /** Power comes back; fails when the loss lost nothing. The node does not start by itself. */
    public void regainPower() {
        disk.restore(process.pid());
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " of " + name() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it calls itself healthy. */
    public boolean healthy() {
        return get("/healthz").contains("\"ok\"");
    }

    /** A monitoring page, empty when there is no answer. */
    public String get(String page) {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://" + network.address(number) + ":8222" + page))
                    .timeout(Duration.ofSeconds(2))
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() {
        if (running()) {
            thaw();
            kill();
        }
        disk.close();
    }
}
