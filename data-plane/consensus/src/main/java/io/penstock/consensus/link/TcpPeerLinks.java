package io.penstock.consensus.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslHandler;
import io.penstock.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Peer links over TCP, all on one thread of their own. */
public final class TcpPeerLinks implements PeerLinks {
    private static final Logger LOG = LoggerFactory.getLogger(TcpPeerLinks.class);
    private static final long TICK_MILLIS = 25;
    private static final int PING_TICKS = 20;
    private static final int CONNECT_MILLIS = 1_000;

    private final LinkOptions options;
    private final SecureRandom random = new SecureRandom();
    private final long life = random.nextLong();
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final Channel listening;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final FileChannel files;
    private final Owner owner = new Owner();
    private int ticks;
    private volatile boolean closing;

    private TcpPeerLinks(LinkOptions options) throws IOException {
        this.options = options;
        ThreadFactory threads = Thread.ofPlatform().name("peer-links").daemon().factory();
        this.group = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        this.loop = group.next();
        this.files = new FileChannel(this);
        ServerBootstrap server = new ServerBootstrap()
                .group(group)
                .channelFactory(LinkChannel.Server::new)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        prepare(channel, new LinkConnection(owner, null, options.backlogBytes()), null);
                    }
                });
        ChannelFuture bound = server.bind(options.host(), options.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
        this.listening = bound.channel();
        var _ = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Listens for peers.
     *
     * @throws StorageException when the address cannot be had
     */
    public static TcpPeerLinks open(LinkOptions options) {
        try {
            return new TcpPeerLinks(options);
        } catch (IOException e) {
            throw new StorageException(
                    "cannot listen for peers on " + options.host() + ":" + options.port() + " (cluster.peer_listen): "
                            + e.getMessage(),
                    e);
        }
    }

    private void prepare(SocketChannel channel, LinkConnection connection, InetSocketAddress called) {
        channel.config().setTcpNoDelay(true).setKeepAlive(true);
        if (options.tls() != null) {
            channel.pipeline().addLast(tlsHandler(channel, called));
        }
        channel.pipeline().addLast(connection);
    }

    private SslHandler tlsHandler(SocketChannel channel, InetSocketAddress called) {
        boolean client = called != null;
        JdkSslContext context = new JdkSslContext(
                options.tls().get(),
                client,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                ApplicationProtocolConfig.DISABLED,
                options.verifyPeers() ? ClientAuth.REQUIRE : ClientAuth.NONE,
                null,
                false);
        if (!client) {
            return context.newHandler(channel.alloc());
        }
        SslHandler handler = context.newHandler(channel.alloc(), called.getHostString(), called.getPort());
        SSLEngine engine = handler.engine();
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(options.verifyHost() ? "HTTPS" : "");
        engine.setSSLParameters(parameters);
        return handler;
    }

    // --- the port -------------------------------------------------------------------------------------------------

    @Override
    public String self() {
        return options.name();
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Override
    public void peer(String name, String host, int port) {
        if (name.equals(self())) {
            throw new IllegalArgumentException("a node is not its own peer: " + name);
        }
        Peer peer = peers.computeIfAbsent(name, key -> new Peer(this, key));
        onLoop(() -> peer.address(host, port));
    }

    @Override
    public void forget(String name) {
        Peer peer = peers.get(name);
        if (peer != null) {
            onLoop(peer::forget);
        }
    }

    @Override
    public Set<String> peers() {
        return peers.values().stream()
                .filter(Peer::known)
                .map(peer -> peer.name)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean up(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.up();
    }

    @Override
    public void addListener(Listener listener) {
        onLoop(() -> {
            listeners.add(listener);
            peers.values().stream().filter(Peer::up).forEach(peer -> guarded(() -> listener.up(peer.name)));
        });
    }

    @Override
    public void serve(String channel, Handler handler) {
        handlers.put(checked(channel), handler);
    }

    @Override
    public void serveFiles(String channel, Files served) {
        files.serve(checked(channel), served);
    }

    private static String checked(String channel) {
        if (channel.isEmpty() || channel.length() > 64) {
            throw new IllegalArgumentException("the name of a channel has 1 to 64 bytes, not '" + channel + "'");
        }
        return channel;
    }

    @Override
    public CompletionStage<byte[]> request(String name, String channel, byte[] payload, Duration patience) {
        Peer peer = peers.get(name);
        if (peer == null) {
            return failedLater(new LinkException(LinkException.Reason.DOWN, "no peer of the name '" + name + "'"));
        }
        return peer.request(channel, payload, patience);
    }

    @Override
    public boolean send(String name, String channel, byte[] payload) {
        Peer peer = peers.get(name);
        return peer != null && peer.send(channel, payload);
    }

    @Override
    public InputStream fetch(String peer, String channel, String file) throws IOException {
        return files.fetch(peer, channel, file);
    }

    /** Closes all links and ends the thread; waits for that at most 5 s. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        onLoop(() -> {
            var _ = listening.close();
            peers.values().forEach(peer -> peer.close("this node stops"));
        });
        files.close();
        if (!group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS)) {
            LOG.warn("the links' thread did not end within 5 s");
        }
    }

    // --- for peers and files --------------------------------------------------------------------------------------

    boolean closing() {
        return closing;
    }

    long silenceNanos() {
        return options.silenceMillis() * 1_000_000L;
    }

    long doubtNanos() {
        return options.doubtMillis() * 1_000_000L;
    }

    LinkConnection newConnection(String peer) {
        return new LinkConnection(owner, peer, options.backlogBytes());
    }

    ChannelFuture connect(String host, int port, LinkConnection connection) {
        InetSocketAddress called = InetSocketAddress.createUnresolved(host, port);
        return new Bootstrap()
                .group(loop)
                .channelFactory(LinkChannel::new)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .resolver(HostNames.GROUP)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        prepare(channel, connection, called);
                    }
                })
                .connect(called);
    }

    void later(long millis, Runnable task) {
        var _ = loop.schedule(() -> guarded(task), millis, TimeUnit.MILLISECONDS);
    }

    private void onLoop(Runnable task) {
        loop.execute(() -> guarded(task));
    }

    /** A failure that is heard on the link's thread, not on the caller's. */
    CompletableFuture<byte[]> failedLater(LinkException failure) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        if (closing && loop.isShuttingDown()) {
            Thread.startVirtualThread(() -> answer.completeExceptionally(failure));
        } else {
            loop.execute(() -> answer.completeExceptionally(failure));
        }
        return answer;
    }

    void tellUp(String peer) {
        tell(listener -> listener.up(peer));
    }

    void tellSilent(String peer) {
        tell(listener -> listener.silent(peer));
    }

    void tellDown(String peer) {
        files.peerGone(peer);
        tell(listener -> listener.down(peer));
    }

    void tellRefused(String peer) {
        LOG.info("nobody listens where {} did: its process is gone", peer);
        tell(listener -> listener.refused(peer));
    }

    private void tell(Consumer<Listener> event) {
        listeners.forEach(listener -> guarded(() -> event.accept(listener)));
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            LOG.error("task failed on the links' thread", e);
        }
    }

    private void tick() {
        ticks++;
        long now = System.nanoTime();
        boolean ping = ticks % PING_TICKS == 0;
        peers.values().forEach(peer -> guarded(() -> peer.tick(now, ping)));
    }

    private final class Owner implements LinkConnection.Owner {
        @Override
        public Handshake.Hello greeting() {
            byte[] nonce = new byte[Handshake.NONCE_BYTES];
            random.nextBytes(nonce);
            return new Handshake.Hello(options.cluster(), self(), life, nonce, LinkFrame.NOTHING);
        }

        @Override
        public String secret() {
            return options.secret();
        }

        @Override
        public String judge(LinkConnection connection, Handshake.Hello caller) {
            if (closing) {
                return "this node stops";
            }
            if (caller.name().equals(self())) {
                return "this node has the name '" + self() + "' itself: names must be unique (server_name)";
            }
            return peers.computeIfAbsent(caller.name(), key -> new Peer(TcpPeerLinks.this, key))
                    .judge(connection, caller);
        }

        @Override
        public void established(LinkConnection connection) {
            peers.computeIfAbsent(connection.peerName(), key -> new Peer(TcpPeerLinks.this, key))
                    .established(connection);
        }

        @Override
        public void received(LinkConnection connection, LinkFrame frame) {
            Peer peer = peers.get(connection.peerName());
            switch (frame.kind()) {
                case REPLY, FAILURE -> peer.answered(frame);
                case REQUEST, NOTICE -> handle(new Incoming(connection, frame));
                default -> connection.close("unexpected " + frame.kind());
            }
        }

        private void handle(Incoming request) {
            Handler handler = handlers.get(request.frame.channel());
            if (handler == null) {
                if (!files.handle(request.frame.channel(), request)) {
                    request.fail("nobody serves channel '" + request.frame.channel() + "'");
                }
                return;
            }
            try {
                handler.handle(request);
            } catch (RuntimeException e) {
                LOG.error("request on channel {} failed", request.frame.channel(), e);
                request.fail(e.toString());
            }
        }

        @Override
        public void closed(LinkConnection connection, String reason) {
            Peer peer = connection.expectedOrPeer() == null ? null : peers.get(connection.expectedOrPeer());
            if (peer != null) {
                peer.closed(connection, reason);
            } else {
                (reason.contains(Peer.CROSSED) ? LOG.atDebug() : LOG.atWarn())
                        .log("a caller was sent away: {}", reason);
            }
        }
    }

    private static final class Incoming implements Request {
        private final LinkConnection connection;
        private final LinkFrame frame;

        Incoming(LinkConnection connection, LinkFrame frame) {
            this.connection = connection;
            this.frame = frame;
        }

        @Override
        public String peer() {
            return connection.peerName();
        }

        @Override
        public byte[] payload() {
            return frame.payload();
        }

        @Override
        public void reply(byte[] payload) {
            answer(LinkFrame.Kind.REPLY, payload);
        }

        @Override
        public void fail(String reason) {
            answer(LinkFrame.Kind.FAILURE, reason.getBytes(StandardCharsets.UTF_8));
        }

        private void answer(LinkFrame.Kind kind, byte[] payload) {
            if (frame.kind() == LinkFrame.Kind.REQUEST
                    && !connection.send(new LinkFrame(kind, frame.id(), "", payload))) {
                LOG.debug("an answer to {} is dropped: too much waits", connection.peerName());
            }
        }
    }
}
