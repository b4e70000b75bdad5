package io.penstock.localstack;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.localstack.access.FirstToken;
import io.penstock.localstack.access.LocalAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives an API token of the local stack, as shell variables; makes one at the first call and keeps it in the home. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        description =
                "Prints an API token of this stack as shell variables; the first call signs an organisation up for it.")
final class TokenCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Mixin
    private HomeOption home;

    @Option(names = "--json", description = "Machine-readable output.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        StackHome folder = home.home();
        StackState state = StackState.load(folder.state());
        if (state == null) {
            throw new StackException("nothing was started in " + folder.root() + ": run ./penstock up");
        }
        Stack stack = new Stack(StackHome.checkout(), folder, state.ports(), Secrets.loadOrCreate(folder.secrets()));
        Path file = folder.root().resolve("token.json");
        LocalAccess access = Files.exists(file) ? JSON.readValue(file.toFile(), LocalAccess.class) : null;
        if (access == null || !access.endpoint().equals(stack.consoleUrl()) || !works(access)) {
            access = new FirstToken(URI.create(stack.consoleUrl()), URI.create(stack.mailUrl())).make();
            keep(file, access);
        }
        print(access);
        return 0;
    }

    private void print(LocalAccess access) throws IOException {
        if (json) {
            System.out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(access));
            return;
        }
        System.out.printf(
                "export PENSTOCK_ENDPOINT=%s%nexport PENSTOCK_TOKEN=%s%nexport PENSTOCK_ORG=%s%n",
                access.endpoint(), access.token(), access.organization());
        System.err.printf(
                "To see the same in the console sign in as %s, password %s%n", access.email(), access.password());
    }

    private static void keep(Path file, LocalAccess access) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        JSON.writeValue(file.toFile(), access);
    }

    /** Only a refusal says that the token is no good; a stack that does not answer is an error. */
    private static boolean works(LocalAccess access) {
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(access.endpoint() + "/v1/principal"))
                    .header("Authorization", "Bearer " + access.token())
                    .timeout(Duration.ofSeconds(30))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() != 401;
        } catch (IOException e) {
            throw new StackException(access.endpoint() + " does not answer: run ./penstock up", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }
}
