package io.penstock.broker.resolver;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Account JWTs fetched by HTTP from {@code URL/ACCOUNT} the first time they are needed. */
final class UrlResolver implements AccountResolver {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final URI base;
    private final Duration timeout;
    private final HttpClient client;

    UrlResolver(URI base, Duration timeout) {
        this.base = base;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
    }

    @Override
    public Optional<String> fetch(String account) throws IOException {
        if (!JwtDirectory.isAccountKey(account)) {
            return Optional.empty();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + account))
                .timeout(timeout)
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            if (response.statusCode() != OK) {
                throw new IOException("could not fetch " + request.uri() + ": status " + response.statusCode());
            }
            return Optional.of(response.body().strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while fetching " + request.uri());
        }
    }

    @Override
    public boolean store(String account, String jwt) {
        // What the address serves counts; an update is applied by the directory of accounts and not kept here.
        return true;
    }

    @Override
    public boolean delete(String account) {
        return false;
    }

    @Override
    public List<String> accounts() {
        return List.of();
    }

    @Override
    public boolean keepsAll() {
        return false;
    }

    @Override
    public boolean allowsDelete() {
        return false;
    }

    @Override
    public void close() {
        client.close();
    }
}
