package io.penstock.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.json.Json;
import io.penstock.server.json.Nodes;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A JSON file that says on which ports the server listens, for those who let it choose. */
final class PortsFile {
    private final Path path;

    private PortsFile(Path path) {
        this.path = path;
    }

    /**
     * Writes {@code EXECUTABLE_PID.ports}; whoever waits for the file finds it whole.
     *
     * @param executable base name of the command that started the server
     */
    static PortsFile write(Path directory, String executable, Listeners listeners) throws IOException {
        Path path = directory.resolve(executable + "_" + ProcessHandle.current().pid() + ".ports");
        Path draft = directory.resolve(path.getFileName() + ".tmp");
        Files.writeString(draft, Json.compact(listeners.toJson()));
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return new PortsFile(path);
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /**
     * Bound addresses, null where nothing listens.
     *
     * @param tls whether clients use TLS
     * @param webSocketTls whether WebSocket clients do
     * @param cluster where other nodes connect
     */
    record Listeners(
            InetSocketAddress client,
            boolean tls,
            InetSocketAddress monitoring,
            InetSocketAddress secureMonitoring,
            InetSocketAddress webSocket,
            boolean webSocketTls,
            InetSocketAddress cluster) {
        private ObjectNode toJson() {
            ObjectNode ports = Nodes.object();
            Nodes.textsIfAny(ports, "nats", urls(tls ? "tls" : "nats", client));
            List<String> http = new ArrayList<>(urls("http", monitoring));
            http.addAll(urls("https", secureMonitoring));
            Nodes.textsIfAny(ports, "monitoring", http);
            Nodes.textsIfAny(ports, "websocket", urls(webSocketTls ? "wss" : "ws", webSocket));
            Nodes.textsIfAny(ports, "cluster", urls("nats", cluster));
            return ports;
        }
    }

    /** One URL for a listener on one address, one for each address of the machine for a wildcard listener. */
    private static List<String> urls(String scheme, InetSocketAddress address) {
        if (address == null) {
            return List.of();
        }
        List<String> urls = new ArrayList<>();
        if (!address.getAddress().isAnyLocalAddress()) {
            urls.add(url(scheme, address.getAddress(), address.getPort()));
            return urls;
        }
        for (InetAddress local : localAddresses()) {
            urls.add(url(scheme, local, address.getPort()));
        }
        return urls;
    }

    private static List<InetAddress> localAddresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .sorted((a, b) -> Integer.compare(a.getIndex(), b.getIndex()))
                    .flatMap(NetworkInterface::inetAddresses)
                    .sorted((a, b) -> Boolean.compare(a instanceof Inet6Address, b instanceof Inet6Address))
                    .sorted((a, b) -> Boolean.compare(b.isLoopbackAddress(), a.isLoopbackAddress()))
                    .toList();
        } catch (SocketException e) {
            return List.of(InetAddress.getLoopbackAddress());
        }
    }

    private static String url(String scheme, InetAddress address, int port) {
        String host = address.getHostAddress();
        int zone = host.indexOf('%');
        host = zone < 0 ? host : host.substring(0, zone);
        return scheme + "://" + (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }
}
