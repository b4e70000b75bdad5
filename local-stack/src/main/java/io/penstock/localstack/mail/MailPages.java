package io.penstock.localstack.mail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * The web page of the mail sink and its JSON: {@code GET /} lists, {@code GET /api/messages} the same as JSON,
 * {@code GET /api/messages/ID/html} one mail's HTML, served so that no script in it runs.
 */
public final class MailPages {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MESSAGES = "/api/messages";

    private final MailBox box;
    private final HttpServer server;

    public MailPages(MailBox box, int port) throws IOException {
        this.box = box;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::page);
        server.createContext(MESSAGES, this::messages);
    }

    public void start() {
        server.start();
    }

    private void page(HttpExchange exchange) throws IOException {
        String file = switch (exchange.getRequestURI().getPath()) {
            case "/" -> "mail.html";
            case "/mail.js" -> "mail.js";
            case "/mail.css" -> "mail.css";
            default -> null;
        };
        if (file == null) {
            send(exchange, 404, "text/plain", "There is no such page.");
            return;
        }
        try (InputStream resource = MailPages.class.getResourceAsStream("/mail/" + file)) {
            if (resource == null) {
                throw new IOException("resource mail/" + file + " is missing from the program");
            }
            String type = file.endsWith(".js") ? "text/javascript" : file.endsWith(".css") ? "text/css" : "text/html";
            send(exchange, 200, type, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private void messages(HttpExchange exchange) throws IOException {
        String rest = exchange.getRequestURI().getPath().substring(MESSAGES.length());
        if (rest.isEmpty()) {
            send(exchange, 200, "application/json", JSON.writeValueAsString(box.list()));
            return;
        }
        String[] parts = rest.substring(1).split("/", -1);
        Mail mail = box.find(parts[0]);
        if (mail == null) {
            send(exchange, 404, "application/json", "{\"error\":\"there is no such mail\"}");
        } else if (parts.length == 2 && parts[1].equals("html")) {
            send(exchange, 200, "text/html", mail.html());
        } else {
            send(exchange, 200, "application/json", JSON.writeValueAsString(mail));
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders()
                .set(
                        "Content-Security-Policy",
                        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
