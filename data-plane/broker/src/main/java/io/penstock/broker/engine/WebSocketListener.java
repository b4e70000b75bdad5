package io.penstock.broker.engine;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilter;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionFilterProvider;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.WebSocketOptions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Takes WebSocket connections of clients into the broker. On the connections' loops. */
final class WebSocketListener {
    private static final String DEFLATE = "permessage-deflate";
    private static final String DEFLATE_ANSWER =
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
    /** Smaller messages are not worth compressing. */
    private static final int COMPRESSED_FROM = 64;

    /** Wire bytes before login, besides one control line. */
    private static final int BEFORE_LOGIN = 64 * 1024;

    private static final int MAX_FRAME = 64 * 1024 * 1024;
    private static final int MAX_REQUEST_LINE = 4096;
    private static final int MAX_REQUEST_HEADERS = 64 * 1024;

    private final BrokerEngine engine;

    WebSocketListener(BrokerEngine engine) {
        this.engine = engine;
    }

    void accept(Channel channel, LoopLane lane) {
        ClientListener.tune(channel);
        WebSocketOptions options = engine.options().webSocket();
        ChannelPipeline pipeline = channel.pipeline();
        TlsContexts tls = engine.webSocketTls();
        if (tls != null) {
            pipeline.addFirst("tls", tls.handler(channel));
        }
        pipeline.addLast("http", new HttpServerCodec(MAX_REQUEST_LINE, MAX_REQUEST_HEADERS, 8192));
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        Upgrade upgrade = new Upgrade(lane, options, tls, peer.getAddress().getHostAddress(), peer.getPort());
        pipeline.addLast("upgrade", upgrade);
        var _ = lane.loop.schedule(
                () -> {
                    if (!upgrade.done) {
                        var _ = channel.close();
                    }
                },
                options.handshakeTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Waits for the request, answers it, and makes room for the protocol. */
    private final class Upgrade extends SimpleChannelInboundHandler<HttpObject> {
        private final LoopLane lane;
        private final WebSocketOptions options;
        private final TlsContexts tls;
        private final String host;
        private final int port;
        private HttpRequest request;
        private boolean done;

        private Upgrade(LoopLane lane, WebSocketOptions options, TlsContexts tls, String host, int port) {
            this.lane = lane;
            this.options = options;
            this.tls = tls;
            this.host = host;
            this.port = port;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
            if (message instanceof HttpRequest head) {
                request = head;
                if (head.decoderResult().isFailure()) {
                    refuse(context, new WebSocketUpgrade.Refusal(HttpResponseStatus.BAD_REQUEST, "malformed request"));
                    return;
                }
                WebSocketUpgrade.Refusal refusal = WebSocketUpgrade.check(head, options, tls != null);
                if (refusal != null) {
                    refuse(context, refusal);
                    return;
                }
            }
            if (message instanceof LastHttpContent && !done) {
                done = true;
                upgrade(context);
            }
        }

        private void refuse(ChannelHandlerContext context, WebSocketUpgrade.Refusal refusal) {
            done = true;
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    refusal.status(),
                    Unpooled.copiedBuffer(refusal.text() + "\n", StandardCharsets.UTF_8));
            response.headers()
                    .set("Sec-Websocket-Version", "13")
                    .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                    .set(HttpHeaderNames.CONNECTION, "close");
            context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }

        private void upgrade(ChannelHandlerContext context) {
            HttpHeaders headers = request.headers();
            boolean compressed = options.compression() && WebSocketUpgrade.offersCompression(headers);
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
            response.headers()
                    .set(HttpHeaderNames.UPGRADE, "websocket")
                    .set(HttpHeaderNames.CONNECTION, "Upgrade")
                    .set(
                            HttpHeaderNames.SEC_WEBSOCKET_ACCEPT,
                            WebSocketUpgrade.accept(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)));
            if (compressed) {
                response.headers().set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, DEFLATE_ANSWER);
            }
            options.headers().forEach((name, value) -> response.headers().set(name, value));
            var _ = context.writeAndFlush(response);
            begin(context.channel(), headers, compressed);
        }

        private void begin(Channel channel, HttpHeaders headers, boolean compressed) {
            ChannelPipeline pipeline = channel.pipeline();
            String forwarded = WebSocketUpgrade.forwardedFor(headers);
            ConnectionInfo info = new ConnectionInfo(
                    engine.nextId(),
                    ConnectionKind.CLIENT,
                    ConnectionType.WEBSOCKET,
                    forwarded == null ? host : forwarded,
                    port,
                    engine.newNonce(),
                    tls != null,
                    null,
                    null,
                    List.of(),
                    options.noAuthUser());
            ClientConnection connection = new ClientConnection(engine, lane, channel, info);
            Map<String, String> cookies = WebSocketUpgrade.cookies(headers);
            connection.setCookies(new CookieCredentials(
                    cookie(cookies, options.jwtCookie()),
                    cookie(cookies, options.userCookie()),
                    cookie(cookies, options.passCookie()),
                    cookie(cookies, options.tokenCookie())));
            pipeline.addLast(
                    "login-guard",
                    new LoginGuard(connection, BEFORE_LOGIN + engine.options().maxControlLine()));
            addCodec(pipeline, compressed);
            String agent = headers.get(HttpHeaderNames.USER_AGENT, "");
            WebSocketFraming framing = new WebSocketFraming(
                    connection, agent.startsWith("Mozilla/") ? WebSocketFraming.BROWSER_FRAME : MAX_FRAME);
            pipeline.addLast("framing", framing);
            pipeline.addLast("client", new ClientInput(connection));
            connection.setFraming(framing);
            pipeline.remove(this);
            // Last: what it has read beyond the request goes to the codec that stands behind it now.
            pipeline.remove("http");
            if (engine.admit(connection)) {
                connection.session.start();
            }
        }

        private void addCodec(ChannelPipeline pipeline, boolean compressed) {
            // Before the decoder, which answers violations itself.
            pipeline.addLast("ws-encoder", new WebSocket13FrameEncoder(false));
            pipeline.addLast(
                    "ws-decoder",
                    new WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder()
                            .expectMaskedFrames(true)
                            .allowMaskMismatch(false)
                            .allowExtensions(compressed)
                            .maxFramePayloadLength(MAX_FRAME)
                            .closeOnProtocolViolation(true)
                            .withUTF8Validator(false)
                            .build()));
            if (compressed) {
                WebSocketServerExtension extension = deflate();
                pipeline.addLast("ws-inflate", extension.newExtensionDecoder());
                pipeline.addLast("ws-deflate", extension.newExtensionEncoder());
            }
        }

        private WebSocketServerExtension deflate() {
            int maxMessage = (int) Math.min(8L * engine.options().maxPayload(), MAX_FRAME);
            WebSocketExtensionFilterProvider filters = new WebSocketExtensionFilterProvider() {
                @Override
                public WebSocketExtensionFilter encoderFilter() {
                    return frame -> frame.content().readableBytes() < COMPRESSED_FROM;
                }

                @Override
                public WebSocketExtensionFilter decoderFilter() {
                    return WebSocketExtensionFilter.NEVER_SKIP;
                }
            };
            return new PerMessageDeflateServerExtensionHandshaker(6, false, 15, true, true, 15, 8, filters, maxMessage)
                    .handshakeExtension(new WebSocketExtensionData(
                            DEFLATE, Map.of("server_no_context_takeover", "", "client_no_context_takeover", "")));
        }

        private static String cookie(Map<String, String> cookies, String name) {
            return name == null ? null : cookies.get(name);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }
}
