package io.penstock.controlplane.accountservice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;

/** One signed JSON call. Refusals become problems of our own; what may pass by itself becomes an I/O failure. */
final class SignedHttp {
    private static final Logger LOG = Logger.getLogger(SignedHttp.class);
    private static final String BASE = "/internal/v1";
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(8);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final URI url;
    private final Statements statements;
    private final ObjectMapper json;
    private final Clock clock;

    SignedHttp(URI url, Statements statements, ObjectMapper json, Clock clock) {
        this.url = url;
        this.statements = statements;
        this.json = json;
        this.clock = clock;
    }

    JsonNode call(AccountService.Reason why, String method, String path, JsonNode body) {
        byte[] bytes = body == null ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8);
        String fullPath = BASE + path;
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(fullPath))
                .timeout(ANSWER)
                .header("Accept", "application/json")
                .header("X-Request-Id", why.requestId())
                .header(
                        "Penstock-Statement",
                        statements.sign(why, method, fullPath.replaceAll("\\?.*", ""), bytes, clock.instant()))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(bytes));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<byte[]> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            JsonNode content = answer.body().length == 0 ? json.createObjectNode() : json.readTree(answer.body());
            if (answer.statusCode() < 300) {
                return content;
            }
            throw refused(why, answer.statusCode(), content);
        } catch (IOException unreachable) {
            throw new UncheckedIOException("account-service does not answer", unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw ProblemException.of(ErrorCode.UNAVAILABLE, "The call was interrupted.");
        }
    }

    private static RuntimeException refused(AccountService.Reason why, int status, JsonNode content)
            throws IOException {
        String code = content.path("code").asText("");
        LOG.warnf("account-service refused %s (%s): %d %s", why.action(), why.requestId(), status, code);
        if (status >= 500) {
            throw new IOException("account-service answered " + status);
        }
        ErrorCode ours = switch (code) {
            case "secret_already_delivered" -> ErrorCode.SECRET_ALREADY_DELIVERED;
            case "account_suspended" -> ErrorCode.ACCOUNT_SUSPENDED;
            case "validation_failed" -> ErrorCode.VALIDATION_FAILED;
            case "version_mismatch" -> ErrorCode.OPERATION_IN_PROGRESS;
            case "rate_limited" -> ErrorCode.RATE_LIMITED;
            default -> ErrorCode.DEPENDENCY_FAILED;
        };
        String detail = ours == ErrorCode.VALIDATION_FAILED
                ? content.path("detail").asText(ours.title())
                : ours.title() + " (account-service: " + (code.isEmpty() ? status : code) + ").";
        return ProblemException.of(ours, detail);
    }
}
