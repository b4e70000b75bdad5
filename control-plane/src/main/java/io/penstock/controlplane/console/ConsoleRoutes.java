package io.penstock.controlplane.console;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Serves the console: from `penstock.console.directory` when it is set, else from what the build packed. A page address that is not
 * a file is the console's own route and gets its index.
 */
@ApplicationScoped
public class ConsoleRoutes {
    private static final Logger LOG = Logger.getLogger(ConsoleRoutes.class);
    private static final Set<String> NOT_OURS = Set.of("v1", "auth", "q");
    /** Before the REST layer, which answers 404 itself for every path it does not know. */
    private static final int BEFORE_REST = 15_000;

    @Inject
    @ConfigProperty(name = "penstock.console.directory")
    Optional<Path> directory;

    void register(@Observes Router router) {
        StaticHandler files;
        if (directory.isPresent()) {
            if (!Files.isRegularFile(directory.get().resolve("index.html"))) {
                LOG.warnf("penstock.console.directory has no index.html: %s", directory.get());
            }
            files = StaticHandler.create(
                    FileSystemAccess.ROOT, directory.get().toAbsolutePath().toString());
        } else {
            files = StaticHandler.create(FileSystemAccess.RELATIVE, "console");
        }
        files.setIndexPage("index.html")
                .setIncludeHidden(false)
                .setDirectoryListing(false)
                .setCachingEnabled(true);
        router.route().order(BEFORE_REST).handler(routing -> serve(files, routing));
        router.route().order(BEFORE_REST + 1).handler(ConsoleRoutes::serveIndex);
    }

    private static void serve(StaticHandler files, RoutingContext routing) {
        if (!isOurs(routing)) {
            routing.next();
            return;
        }
        boolean hashed = routing.request().path().startsWith("/assets/");
        routing.response().putHeader("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
        files.handle(routing);
    }

    private static void serveIndex(RoutingContext routing) {
        String accept = routing.request().getHeader("Accept");
        boolean page = accept != null && accept.contains("text/html");
        if (!isOurs(routing) || !page || "/index.html".equals(routing.request().path())) {
            routing.next();
            return;
        }
        routing.reroute("/index.html");
    }

    private static boolean isOurs(RoutingContext routing) {
        HttpMethod method = routing.request().method();
        String[] parts = routing.request().path().split("/", 3);
        return (method == HttpMethod.GET || method == HttpMethod.HEAD)
                && (parts.length < 2 || !NOT_OURS.contains(parts[1]));
    }
}
