package io.penstock.localstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TCP ports of the stack, all on loopback.
 *
 * @param console control plane: console and REST API
 * @param client NATS clients over TCP
 * @param websocket NATS clients over WebSocket
 * @param monitor monitoring pages of the broker node
 * @param mail web page of the mail sink
 * @param smtp where the services send mail
 * @param postgres the database
 * @param keycloak identity provider
 * @param keycloakHealth its health endpoint
 * @param accountService internal REST of the account-service
 */
public record Ports(
        int console,
        int client,
        int websocket,
        int monitor,
        int mail,
        int smtp,
        int postgres,
        int keycloak,
        int keycloakHealth,
        int accountService) {

    /** The ports a person expects: 4222 for clients, 8222 for monitoring, 8080 for the console. */
    public static Ports defaults() {
        return new Ports(8080, 4222, 9222, 8222, 8025, 1025, 5442, 8180, 9180, 8090);
    }

    /** Ports that are free now, for tests that run beside another stack. */
    public static Ports random() {
        List<ServerSocket> held = new ArrayList<>();
        try {
            int[] port = new int[10];
            for (int i = 0; i < port.length; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                port[i] = socket.getLocalPort();
            }
            return new Ports(port[0], port[1], port[2], port[3], port[4], port[5], port[6], port[7], port[8], port[9]);
        } catch (IOException e) {
            throw new StackException("no free port on loopback: " + e.getMessage(), e);
        } finally {
            for (ServerSocket socket : held) {
                closeQuietly(socket);
            }
        }
    }

    private static void closeQuietly(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new StackException("port probe could not be closed: " + e.getMessage(), e);
        }
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
        uses.put("NATS clients", client);
        uses.put("NATS over WebSocket", websocket);
        uses.put("monitoring", monitor);
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
