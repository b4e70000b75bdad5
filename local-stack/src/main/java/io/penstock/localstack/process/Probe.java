package io.penstock.localstack.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a port whether somebody answers. */
public final class Probe {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();

    private Probe() {}

    public static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) LIMIT.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a GET of the URL answers 200. */
    public static boolean answers(String url) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).build();
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
