package io.penstock.localstack.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.localstack.StackException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * As much of a browser as a sign-in needs: cookies, redirects, one form. Cookies marked Secure are sent to loopback too, as
 * browsers do; java.net's own jar does not.
 */
final class Browser {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_REDIRECTS = 10;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Map<String, Map<String, String>> cookies = new LinkedHashMap<>();

    /** Where a call ended up, and what it got there. */
    record Page(URI address, int status, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new StackException(address + " answered something that is no JSON", e);
            }
        }
    }

    Page open(URI address) {
        return follow(HttpRequest.newBuilder(address).GET(), address);
    }

    Page submit(URI address, Map<String, String> fields) {
        String form = fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
        return follow(
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)),
                address);
    }

    /** Posts JSON; anything but success is an error that says what came instead. */
    JsonNode post(URI address, Map<String, ?> body, Map<String, String> headers) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(address)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
            headers.forEach(request::header);
            Page page = send(request, address);
            if (page.status() >= 300) {
                throw new StackException("POST " + address + " was refused: " + page.body());
            }
            return page.json();
        } catch (JsonProcessingException e) {
            throw new StackException("a request could not be written", e);
        }
    }

    private Page follow(HttpRequest.Builder first, URI start) {
        HttpRequest.Builder request = first;
        URI address = start;
        for (int hop = 0; hop < MOST_REDIRECTS; hop++) {
            Page page = send(request, address);
            if (page.status() / 100 != 3) {
                return page;
            }
            address = address.resolve(page.body());
            request = HttpRequest.newBuilder(address).GET();
        }
        throw new StackException(start + " redirects without end");
    }

    /** The body of a redirect is its location. */
    private Page send(HttpRequest.Builder request, URI address) {
        String site = address.getAuthority();
        Map<String, String> jar = cookies.computeIfAbsent(site, none -> new LinkedHashMap<>());
        if (!jar.isEmpty()) {
            request.header(
                    "Cookie",
                    jar.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        try {
            HttpResponse<String> response =
                    http.send(request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
            for (String cookie : response.headers().allValues("set-cookie")) {
                String pair = cookie.split(";", 2)[0];
                int equals = pair.indexOf('=');
                jar.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
            String location = response.headers().firstValue("location").orElse(null);
            boolean redirect = response.statusCode() / 100 == 3 && location != null;
            return new Page(address, response.statusCode(), redirect ? location : response.body());
        } catch (IOException e) {
            throw new StackException(address + " does not answer: ./penstock status tells what runs", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
