package io.penstock.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** As much of a browser as a sign-in needs: cookies, redirects and one form. */
public final class Browser {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern FORM = Pattern.compile("<form[^>]* action=\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    /** By authority: the console and the identity provider share a host name in tests. */
    private final Map<String, Map<String, String>> cookies = new HashMap<>();

    private final URI base;
    private final List<String> setCookies = new ArrayList<>();

    public Browser(URI base) {
        this.base = base;
    }

    /** Where the browser ended, and what it shows. */
    public record Page(URI address, int status, String text) {
        public JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException notJson) {
                throw new UncheckedIOException(text, notJson);
            }
        }
    }

    public Page open(String path) {
        return follow(HttpRequest.newBuilder(base.resolve(path)).GET().build());
    }

    public Page post(String path, String csrf) {
        return follow(HttpRequest.newBuilder(base.resolve(path))
                .header("Origin", base.getScheme() + "://" + base.getAuthority())
                .header("X-CSRF-Token", csrf)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
    }

    /** Fills in the identity provider's form. */
    public Page submit(Page form, String email, String password) {
        Matcher action = FORM.matcher(form.text());
        if (!action.find()) {
            throw new AssertionError("no form on " + form.address() + ":\n" + form.text());
        }
        String body = "username=" + encode(email) + "&password=" + encode(password) + "&credentialId=";
        return follow(
                HttpRequest.newBuilder(form.address().resolve(action.group(1).replace("&amp;", "&")))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
    }

    /** Set-Cookie lines of our own origin, in the order they came. */
    public List<String> setCookies() {
        return setCookies;
    }

    /** Cookies of our own origin. */
    public Map<String, String> cookies() {
        return Map.copyOf(jar(base));
    }

    public void restore(Map<String, String> earlier) {
        jar(base).clear();
        jar(base).putAll(earlier);
    }

    public void forgetOtherSites() {
        cookies.keySet().removeIf(authority -> !authority.equals(base.getAuthority()));
    }

    private Map<String, String> jar(URI address) {
        return cookies.computeIfAbsent(address.getAuthority(), authority -> new LinkedHashMap<>());
    }

    private void keep(URI address, List<String> lines) {
        for (String line : lines) {
            String[] pair = line.split(";", 2)[0].split("=", 2);
            boolean gone = line.toLowerCase(Locale.ROOT).contains("max-age=0") || pair[1].isEmpty();
            if (gone) {
                jar(address).remove(pair[0]);
            } else {
                jar(address).put(pair[0], pair[1]);
            }
        }
    }

    private Page follow(HttpRequest first) {
        HttpRequest request = first;
        for (int hop = 0; hop < 12; hop++) {
            HttpResponse<String> answer = send(request);
            keep(answer.uri(), answer.headers().allValues("Set-Cookie"));
            if (answer.uri().getAuthority().equals(base.getAuthority())) {
                setCookies.addAll(answer.headers().allValues("Set-Cookie"));
            }
            String location = answer.headers().firstValue("Location").orElse(null);
            if (answer.statusCode() < 300 || answer.statusCode() > 399 || location == null) {
                return new Page(answer.uri(), answer.statusCode(), answer.body());
            }
            request = HttpRequest.newBuilder(answer.uri().resolve(location))
                    .header("Accept", "text/html,application/json;q=0.9")
                    .GET()
                    .build();
        }
        throw new AssertionError("too many redirects from " + first.uri());
    }

    private HttpResponse<String> send(HttpRequest plain) {
        String line = jar(plain.uri()).entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        HttpRequest request = line.isEmpty()
                ? plain
                : HttpRequest.newBuilder(plain, (name, value) -> true)
                        .header("Cookie", line)
                        .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new UncheckedIOException(request.uri().toString(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
