package io.penstock.server;

import io.penstock.broker.TlsOptions;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.log.ServerLog;
import io.penstock.server.monitor.HttpMonitor;
import io.penstock.server.monitor.Pages;
import io.penstock.server.monitor.Source;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The monitoring listeners, when there are any. They have an event loop of their own: whoever watches the server never
 * holds up its clients.
 */
final class MonitoringPart {
    private static final long SECONDS = 10;
    private static final int WORKERS = 2;

    private final Vertx vertx;
    private final HttpMonitor monitor;
    private InetSocketAddress address;
    private InetSocketAddress secureAddress;

    private MonitoringPart(Vertx vertx, HttpMonitor monitor) {
        this.vertx = vertx;
        this.monitor = monitor;
    }

    /** Opens the listeners that the options ask for; null when they ask for none. */
    static MonitoringPart start(Source source, Pages pages) throws Node.FatalException {
        ServerOptions.Monitoring options = source.options().monitoring();
        if (options.port() == 0 && options.httpsPort() == 0) {
            return null;
        }
        VertxOptions threads = new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(WORKERS);
        Vertx vertx = Vertx.vertx(threads);
        MonitoringPart part = new MonitoringPart(vertx, new HttpMonitor(vertx, source, pages, options.basePath()));
        if (options.port() != 0) {
            part.address = part.listen("http", options.host(), options.port(), new HttpServerOptions());
        }
        if (options.httpsPort() != 0) {
            TlsOptions tls = source.options().broker().tls();
            if (tls == null) {
                throw new Node.FatalException("Can't start monitoring: TLS is required for the https port");
            }
            part.secureAddress = part.listen("https", options.host(), options.httpsPort(), secure(tls));
        }
        return part;
    }

    private static HttpServerOptions secure(TlsOptions tls) {
        PemKeyCertOptions certificates = new PemKeyCertOptions();
        for (TlsOptions.Certificate certificate : tls.certificates()) {
            certificates.addCertPath(certificate.certFile().toString());
            certificates.addKeyPath(certificate.keyFile().toString());
        }
        HttpServerOptions options = new HttpServerOptions();
        options.setSsl(true);
        options.setKeyCertOptions(certificates);
        return options;
    }

    private InetSocketAddress listen(String scheme, String host, int port, HttpServerOptions options)
            throws Node.FatalException {
        options.setHost(host);
        options.setPort(Math.max(port, 0));
        try {
            HttpServer server = monitor.listen(options)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(SECONDS, TimeUnit.SECONDS);
            InetSocketAddress bound = new InetSocketAddress(host, server.actualPort());
            ServerLog.get().info("Starting " + scheme + " monitor on " + Node.hostPort(host, bound));
            return bound;
        } catch (ExecutionException | TimeoutException e) {
            throw new Node.FatalException("Can't start monitoring: " + host + ":" + port + ", " + Node.cause(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Node.FatalException("interrupted");
        }
    }

    /** Bound address, or null. */
    InetSocketAddress address() {
        return address;
    }

    InetSocketAddress secureAddress() {
        return secureAddress;
    }

    Map<String, Long> requests() {
        return monitor.requests();
    }

    void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            ServerLog.get().error("closing the monitoring port failed: " + Node.cause(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
