package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.testing.Contract;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Public;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Self;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The document of the repository tells the truth: operations, fields and codes are those of the code. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class ContractTest extends ApiTest {
    /** Ends of the identity provider's redirects, not for clients. */
    private static final Set<String> NOT_IN_DOCUMENT = Set.of("GET /auth/error");

    /** Leads to the identity provider instead of answering 401. */
    private static final String SIGN_IN = "GET /auth/login";

    private final Contract contract = new Contract();

    @TestHTTPResource("/v1/openapi.json")
    URI document;

    @Test
    void servedDocumentIsTheOneOfTheRepository() throws IOException {
        JsonNode served;
        try (java.io.InputStream in = document.toURL().openStream()) {
            served = new ObjectMapper().readTree(in);
        }
        JsonNode frozen =
                new ObjectMapper().readTree(Files.readString(java.nio.file.Path.of("src/main/openapi/openapi.json")));
        assertThat(served).isEqualTo(frozen);
    }

    @Test
    void documentHasExactlyTheOperationsOfTheCode() {
        Set<String> documented = contract.operations().stream()
                .map(operation -> operation.method() + " " + operation.path())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(operationsOfTheCode()).isEqualTo(documented);
    }

    @Test
    void documentHasExactlyTheCodesOfTheCode() {
        List<String> documented = new java.util.ArrayList<>();
        contract.schema("ErrorCode").path("enum").forEach(code -> documented.add(code.asText()));
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList());
    }

    @Test
    void recordsHaveTheFieldsOfTheirSchemas() {
        List<Class<?>> records = resources().stream()
                .flatMap(resource -> Arrays.stream(resource.getDeclaredClasses()))
                .filter(Class::isRecord)
                .filter(type -> contract.schema(type.getSimpleName()).has("properties"))
                .toList();
        assertThat(records).hasSizeGreaterThan(15);
        assertThat(records).allSatisfy(type -> {
            Set<String> fields = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getName)
                    .map(name -> name.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(java.util.Locale.ROOT))
                    .collect(Collectors.toSet());
            Set<String> documented = new java.util.HashSet<>();
            contract.schema(type.getSimpleName())
                    .path("properties")
                    .fieldNames()
                    .forEachRemaining(documented::add);
            assertThat(fields).as(type.getSimpleName()).isEqualTo(documented);
        });
    }

    @Test
    void everyOperationSaysWhoMayCallItAndTheDocumentAgrees() {
        for (Class<?> resource : resources()) {
            for (Method method : resource.getDeclaredMethods()) {
                String verb = verb(method);
                if (verb == null) {
                    continue;
                }
                String id = verb + " " + path(resource, method);
                Requires requires = method.getAnnotation(Requires.class);
                Self self = method.getAnnotation(Self.class);
                boolean open = method.isAnnotationPresent(Public.class);
                assertThat(List.of(requires != null, self != null, open))
                        .as(id + " has one of @Requires, @Self and @Public")
                        .containsOnlyOnce(true);
                if (NOT_IN_DOCUMENT.contains(id) || SIGN_IN.equals(id)) {
                    continue;
                }
                Contract.Operation operation = contract.operation(verb, path(resource, method));
                assertThat(operation.permission())
                        .as(id + " x-permission")
                        .isEqualTo(requires == null ? "" : requires.value().code());
                assertThat(operation.isPublic()).as(id + " public").isEqualTo(open);
                assertThat(operation.needsSession()).as(id + " session only").isEqualTo(self != null && !self.tokens());
            }
        }
    }

    private static String path(Class<?> resource, Method method) {
        Path path = method.getAnnotation(Path.class);
        return resource.getAnnotation(Path.class).value()
                + (path == null ? "" : path.value().replaceAll("\\{(\\w+):[^}]*}", "{$1}"));
    }

    private static Set<String> operationsOfTheCode() {
        Set<String> out = new TreeSet<>();
        for (Class<?> resource : resources()) {
            for (Method method : resource.getDeclaredMethods()) {
                String verb = verb(method);
                if (verb != null) {
                    out.add(verb + " " + path(resource, method));
                }
            }
        }
        out.removeAll(NOT_IN_DOCUMENT);
        return out;
    }

    private static String verb(Method method) {
        return method.isAnnotationPresent(GET.class)
                ? "GET"
                : method.isAnnotationPresent(POST.class)
                        ? "POST"
                        : method.isAnnotationPresent(PATCH.class)
                                ? "PATCH"
                                : method.isAnnotationPresent(PUT.class)
                                        ? "PUT"
                                        : method.isAnnotationPresent(DELETE.class) ? "DELETE" : null;
    }

    private static List<Class<?>> resources() {
        return CDI.current().getBeanManager().getBeans(Object.class).stream()
                .<Class<?>>map(bean -> bean.getBeanClass())
                .filter(type -> type.getName().startsWith("io.penstock.") && type.isAnnotationPresent(Path.class))
                .distinct()
                .toList();
    }
}
