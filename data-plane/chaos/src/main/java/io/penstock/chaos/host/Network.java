package io.penstock.chaos.host;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network namespace for each node, joined by a bridge this process stands on too. Every cut can prove that it held:
 * dropped packets are counted, a link that is down is seen.
 */
public final class Network implements AutoCloseable {
    private static final Pattern PACKETS = Pattern.compile("counter packets (\\d+)");

    private final NetworkNumber number = NetworkNumber.take();
    private final String prefix;
    private final int subnet;
    private final int nodes;
    private long dropped;

    /** @param nodes how many, at most 9 */
    public Network(int nodes) {
        this.prefix = "pc" + number.value();
        this.subnet = 100 + number.value();
        this.nodes = nodes;
        // Of a run that was killed.
        remove();
        Commands.run("ip", "link", "add", bridge(), "type", "bridge");
        Commands.run("ip", "addr", "add", "10.123." + subnet + ".254/24", "dev", bridge());
        Commands.run("ip", "link", "set", bridge(), "up");
        for (int node = 1; node <= nodes; node++) {
            Commands.run("ip", "netns", "add", namespace(node));
            Commands.run(
                    "ip", "link", "add", link(node), "type", "veth", "peer", "name", "eth0", "netns", namespace(node));
            Commands.run("ip", "link", "set", link(node), "master", bridge(), "up");
            Commands.run("ip", "-n", namespace(node), "addr", "add", address(node) + "/24", "dev", "eth0");
            Commands.run("ip", "-n", namespace(node), "link", "set", "lo", "up");
            Commands.run("ip", "-n", namespace(node), "link", "set", "eth0", "up");
        }
    }

    private String bridge() {
        return prefix + "br";
    }

    private String link(int node) {
        return prefix + "v" + node;
    }

    private String namespace(int node) {
        return prefix + "n" + node;
    }

    /** Address of a node, numbered from 1. */
    public String address(int node) {
        return "10.123." + subnet + "." + node;
    }

    /** What to put before a command so that it runs on the node's network; the mounts stay ours. */
    String[] enter(int node) {
        return new String[] {"nsenter", "--net=/run/netns/" + namespace(node)};
    }

    /** Cuts a node off from everybody. */
    public void cut(int node) {
        Commands.run("ip", "link", "set", link(node), "down");
    }

    /** Whether the node's link is down. */
    public boolean isCut(int node) {
        return !Commands.run("ip", "link", "show", link(node)).contains("state UP");
    }

    /** Drops what {@code from} sends to {@code to}; the other way stays open. */
    public void drop(int from, int to) {
        String namespace = namespace(to);
        Commands.run("ip", "netns", "exec", namespace, "nft", "add table inet chaos");
        Commands.run(
                "ip",
                "netns",
                "exec",
                namespace,
                "nft",
                "add chain inet chaos in { type filter hook input priority 0; }");
        Commands.run(
                "ip",
                "netns",
                "exec",
                namespace,
                "nft",
                "add rule inet chaos in ip saddr " + address(from) + " counter drop");
    }

    /** Lifts every cut; what was dropped is counted. */
    public void heal() {
        for (int node = 1; node <= nodes; node++) {
            Commands.run("ip", "link", "set", link(node), "up");
            String rules = Commands.run("ip", "netns", "exec", namespace(node), "nft", "list ruleset");
            Matcher packets = PACKETS.matcher(rules);
            while (packets.find()) {
                dropped += Long.parseLong(packets.group(1));
            }
            Commands.run("ip", "netns", "exec", namespace(node), "nft", "flush ruleset");
        }
    }

    /** Packets the dropped directions have lost so far. */
    public long dropped() {
        return dropped;
    }

    private void remove() {
        for (int node = 1; node <= 9; node++) {
            Commands.attempt("ip", "netns", "del", namespace(node));
            Commands.attempt("ip", "link", "del", link(node));
        }
        Commands.attempt("ip", "link", "del", bridge());
    }

    @Override
    public void close() {
        remove();
        number.close();
    }
}
