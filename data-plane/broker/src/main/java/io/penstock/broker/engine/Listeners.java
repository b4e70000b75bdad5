package io.penstock.broker.engine;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Opens one port on all event loops: Vert.x hands each accepted connection to the next loop. */
final class Listeners {
    private static final int BACKLOG = 1024;

    private final Vertx vertx;
    private final List<LoopLane> loops;
    private final List<NetServer> servers = new ArrayList<>();

    Listeners(Vertx vertx, List<LoopLane> loops) {
        this.vertx = vertx;
        this.loops = loops;
    }

    /**
     * Listens, and gives the address.
     *
     * @param port 0 for a free one
     */
    Future<InetSocketAddress> open(String what, String host, int port, BiConsumer<NetSocket, LoopLane> onConnect) {
        int actual;
        try {
            actual = port == 0 ? freePort(host) : port;
        } catch (IOException e) {
            return Future.failedFuture(cannotListen(what, host, port, e));
        }
        NetServerOptions options = new NetServerOptions()
                .setAcceptBacklog(BACKLOG)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                .setReuseAddress(true);
        List<Future<NetServer>> opening = new ArrayList<>();
        for (LoopLane lane : loops) {
            opening.add(listen(options, lane, host, actual, onConnect));
        }
        return Future.all(opening)
                .map(all -> new InetSocketAddress(host, actual))
                .recover(cause -> Future.failedFuture(cannotListen(what, host, actual, cause)));
    }

    private Future<NetServer> listen(
            NetServerOptions options, LoopLane lane, String host, int port, BiConsumer<NetSocket, LoopLane> onConnect) {
        Promise<NetServer> promise = Promise.promise();
        lane.context.runOnContext(ignored -> {
            NetServer server = vertx.createNetServer(options);
            synchronized (servers) {
                servers.add(server);
            }
            server.connectHandler(socket -> onConnect.accept(socket, lane))
                    .listen(port, host)
                    .onComplete(promise);
        });
        return promise.future();
    }

    /** All loops must share one port, which Vert.x cannot do when it picks it itself. */
    private static int freePort(String host) throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return probe.getLocalPort();
        }
    }

    private static IllegalStateException cannotListen(String what, String host, int port, Throwable cause) {
        return new IllegalStateException(
                "cannot listen for " + what + " on " + host + ":" + port + ": " + cause.getMessage()
                        + "; choose another address or stop the program that uses it",
                cause);
    }

    Future<Void> close() {
        List<Future<Void>> closing = new ArrayList<>();
        synchronized (servers) {
            for (NetServer server : servers) {
                closing.add(server.close());
            }
            servers.clear();
        }
        return Future.join(closing).mapEmpty();
    }
}
