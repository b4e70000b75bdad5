package io.penstock.localstack;

import io.penstock.localstack.service.BrokerNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * TCP ports of the stack, all on loopback.
 *
 * @param console control plane: console and REST API
 * @param mail web page of the mail sink
 * @param smtp where the services send mail
 * @param postgres the database
 * @param keycloak identity provider
 * @param keycloakHealth its health endpoint
 * @param accountService internal REST of the account-service
 * @param nodes those of the broker nodes, in the order of their names
 */
public record Ports(
        int console,
        int mail,
        int smtp,
        int postgres,
        int keycloak,
        int keycloakHealth,
        int accountService,
        List<NodePorts> nodes) {
    /** How many nodes a stack has unless somebody says otherwise: one a zone. */
    public static final int DEFAULT_NODES = 3;

    private static final int FIRST_RANDOM = 20_000;
    private static final int LAST_RANDOM = 31_999;
    private static final int OTHERS = 7;
    private static final int PER_NODE = 5;

    public Ports {
        nodes = nodes == null ? defaultNodes(DEFAULT_NODES) : List.copyOf(nodes);
    }

    /** The ports a person expects: 4222 and on for clients, 8222 and on for monitoring, 8080 for the console. */
    public static Ports defaults(int nodes) {
        return new Ports(8080, 8025, 1025, 5442, 8180, 9180, 8090, defaultNodes(nodes));
    }

    private static List<NodePorts> defaultNodes(int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(i -> new NodePorts(4222 + i, 9222 + i, 8222 + i, 6222 + i, 6322 + i))
                .toList();
    }

    /**
     * Ports that are free now, for tests that run beside another stack. They lie below those that systems give to outgoing
     * connections, so that a part that is down for a while finds its own free when it comes back.
     */
    public static Ports random(int nodes) {
        int[] port = new int[OTHERS + PER_NODE * nodes];
        int candidate = ThreadLocalRandom.current().nextInt(FIRST_RANDOM, LAST_RANDOM);
        int looked = 0;
        for (int i = 0; i < port.length; candidate = candidate == LAST_RANDOM ? FIRST_RANDOM : candidate + 1) {
            if (isFree(candidate)) {
                port[i++] = candidate;
            } else if (++looked > LAST_RANDOM - FIRST_RANDOM) {
                throw new StackException(
                        "there are no " + port.length + " free ports between " + FIRST_RANDOM + " and " + LAST_RANDOM);
            }
        }
        List<NodePorts> ofNodes = new ArrayList<>();
        for (int i = OTHERS; i < port.length; i += PER_NODE) {
            ofNodes.add(new NodePorts(port[i], port[i + 1], port[i + 2], port[i + 3], port[i + 4]));
        }
        return new Ports(port[0], port[1], port[2], port[3], port[4], port[5], port[6], ofNodes);
    }

    /** Each port with what wants it, in the order of start. */
    public Map<String, Integer> byUse() {
        Map<String, Integer> uses = new LinkedHashMap<>();
        uses.put("PostgreSQL", postgres);
        uses.put("Keycloak", keycloak);
        uses.put("Keycloak health", keycloakHealth);
        uses.put("mail (SMTP)", smtp);
        uses.put("mail (web page)", mail);
        uses.put("account-service", accountService);
        for (int i = 0; i < nodes.size(); i++) {
            String node = BrokerNode.name(i);
            uses.put("NATS clients of " + node, nodes.get(i).client());
            uses.put("NATS over WebSocket of " + node, nodes.get(i).websocket());
            uses.put("monitoring of " + node, nodes.get(i).monitor());
            uses.put("routes of " + node, nodes.get(i).routes());
            uses.put("replication of " + node, nodes.get(i).peers());
        }
        uses.put("console", console);
        return uses;
    }

    /** Whether nobody listens on this loopback port. */
    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
