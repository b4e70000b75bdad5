package io.penstock.broker.engine;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/**
 * Opens ports on the event loops of Vert.x, with its transport. Its own server would close all connections together with
 * the port, and lame duck mode must not.
 */
final class Listeners {
    private static final int BACKLOG = 1024;

    private final VertxInternal vertx;
    private final List<LoopLane> loops;
    private final Queue<Channel> listening = new ConcurrentLinkedQueue<>();

    Listeners(Vertx vertx, List<LoopLane> loops) {
        this.vertx = (VertxInternal) vertx;
        this.loops = loops;
    }

    /**
     * Listens, and gives the address.
     *
     * @param port 0 for a free one
     * @param onConnect called on the loop of each new connection
     */
    Future<InetSocketAddress> open(String what, String host, int port, BiConsumer<Channel, LoopLane> onConnect) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(vertx.acceptorEventLoopGroup(), vertx.nettyEventLoopGroup())
                .channelFactory(vertx.transport().serverChannelFactory(false))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Arrival(onConnect));
                    }
                });
        Promise<InetSocketAddress> promise = Promise.promise();
        bootstrap.bind(host, port).addListener((ChannelFuture bound) -> {
            if (bound.isSuccess()) {
                listening.add(bound.channel());
                promise.complete((InetSocketAddress) bound.channel().localAddress());
            } else {
                promise.fail(cannotListen(what, host, port, bound.cause()));
            }
        });
        return promise.future();
    }

    /** Hands a connection over as soon as it is open. */
    private final class Arrival extends ChannelInboundHandlerAdapter {
        private final BiConsumer<Channel, LoopLane> onConnect;

        private Arrival(BiConsumer<Channel, LoopLane> onConnect) {
            this.onConnect = onConnect;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            Channel channel = context.channel();
            channel.pipeline().remove(this);
            onConnect.accept(channel, laneOf(channel));
        }
    }

    private LoopLane laneOf(Channel channel) {
        for (LoopLane lane : loops) {
            if (lane.loop == channel.eventLoop()) {
                return lane;
            }
        }
        throw new IllegalStateException("a connection is on a loop that is none of the broker's");
    }

    private static IllegalStateException cannotListen(String what, String host, int port, Throwable cause) {
        return new IllegalStateException(
                "cannot listen for " + what + " on " + host + ":" + port + ": " + cause.getMessage()
                        + "; choose another address or stop the program that uses it",
                cause);
    }

    /** Accepts no more; connections stay. */
    Future<Void> unbind() {
        Channel socket;
        Future<Void> all = Future.succeededFuture();
        while ((socket = listening.poll()) != null) {
            Promise<Void> closed = Promise.promise();
            socket.close().addListener(ignored -> closed.complete());
            Future<Void> before = all;
            all = closed.future().compose(ignored -> before);
        }
        return all;
    }
}
