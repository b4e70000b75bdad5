package io.penstock.server.monitor;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.penstock.server.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the monitoring pages over HTTP. Pages are made on Vert.x' worker threads, so a large list holds up no
 * connection.
 */
public final class HttpMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(HttpMonitor.class);
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Vertx vertx;
    private final Source source;
    private final Pages pages;
    private final String base;
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();

    /**
     * @param base prefix of all paths, starting with a slash
     */
    public HttpMonitor(Vertx vertx, Source source, Pages pages, String base) {
        this.vertx = vertx;
        this.source = source;
        this.pages = pages;
        this.base = base.equals("/") ? "" : base;
    }

    /** Opens a listener; the result knows its port. */
    public Future<HttpServer> listen(HttpServerOptions options) {
        return vertx.createHttpServer(options).requestHandler(this::handle).listen();
    }

    /** Questions so far by path. */
    public Map<String, Long> requests() {
        Map<String, Long> counts = new TreeMap<>();
        requests.forEach((path, count) -> counts.put(path, count.sum()));
        return counts;
    }

    /** What a page is shown as. */
    private record Answer(int code, String type, boolean crossOrigin, String body) {
        static Answer json(int code, String body) {
            return new Answer(code, JSON, true, body);
        }

        static Answer text(int code, String body) {
            return new Answer(code, TEXT, false, body);
        }
    }

    private void handle(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            send(request, Answer.text(405, "only GET is served here"));
            return;
        }
        String path = request.path() == null ? "" : request.path();
        if (!path.startsWith(base)) {
            send(request, Answer.text(404, "404 page not found\n"));
            return;
        }
        String page = path.substring(base.length());
        String name = page.startsWith("/") ? page.substring(1) : page;
        Callable<Answer> work = () -> answer(name, query(request.uri()));
        var _ = vertx.executeBlocking(work, false).onComplete(result -> {
            if (result.succeeded()) {
                send(request, result.result());
            } else {
                LOG.error("monitoring page {} failed", request.path(), result.cause());
                send(request, Answer.text(500, "internal error: see the server's log"));
            }
        });
    }

    private static Query query(String uri) {
        Map<String, List<String>> parameters = new QueryStringDecoder(uri).parameters();
        return new HttpQuery(name -> {
            List<String> values = parameters.get(name);
            return values == null ? null : values.getFirst();
        });
    }

    private Answer answer(String name, Query query) {
        try {
            return switch (name) {
                case "" -> {
                    count("/");
                    yield new Answer(200, "text/html; charset=utf-8", false, IndexPage.TEXT);
                }
                case "healthz" -> {
                    count("/healthz");
                    Healthz.Health health = pages.health().answer(query);
                    yield Answer.json(health.code(), Json.compact(health.body()));
                }
                case "metrics" -> new Answer(200, Metrics.CONTENT_TYPE, false, Metrics.of(source));
                default -> page(name, query);
            };
        } catch (PageException e) {
            return Answer.text(e.code(), e.getMessage());
        }
    }

    private Answer page(String name, Query query) throws PageException {
        Page page = pages.page(name);
        if (page == null) {
            return Answer.text(404, "404 page not found\n");
        }
        count("/" + name);
        return Answer.json(200, Json.pretty(page.answer(query)));
    }

    private void count(String path) {
        requests.computeIfAbsent(path, key -> new LongAdder()).increment();
    }

    private static void send(HttpServerRequest request, Answer answer) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        response.setStatusCode(answer.code());
        response.putHeader(HttpHeaders.CONTENT_TYPE, answer.type());
        if (answer.crossOrigin()) {
            response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        }
        var _ = response.end(answer.body());
    }
}
