package io.penstock.controlplane.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.web.ProblemException.InvalidParameter;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads request bodies strictly: an unknown field is 400, a value that is not allowed 422. Thread-safe. */
@Singleton
public class Bodies {
    private final ObjectMapper json;
    private final Validator validator;

    @Inject
    public Bodies(ObjectMapper json, Validator validator) {
        this.json = json;
        this.validator = validator;
    }

    public <T> T read(byte[] body, Class<T> type) {
        byte[] text = body == null || body.length == 0 ? new byte[] {'{', '}'} : body;
        T value;
        try {
            value = json.readValue(text, type);
        } catch (UnrecognizedPropertyException unknown) {
            throw ProblemException.invalidField(
                    ErrorCode.UNKNOWN_FIELD, field(unknown), "known", "there is no such field; see /v1/openapi.json");
        } catch (JsonMappingException mapping) {
            throw ProblemException.invalidField(
                    ErrorCode.INVALID_REQUEST, field(mapping), "type", "the value has the wrong type");
        } catch (IOException syntax) {
            throw syntax(syntax);
        }
        if (value == null) {
            throw ProblemException.of(ErrorCode.INVALID_REQUEST, "The body must be a JSON object.");
        }
        validate(value);
        return value;
    }

    /** An object of any fields: the caller checks them. */
    public ObjectNode object(byte[] body) {
        try {
            JsonNode node = body == null || body.length == 0 ? json.createObjectNode() : json.readTree(body);
            if (node instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException syntax) {
            throw syntax(syntax);
        }
        throw ProblemException.of(ErrorCode.INVALID_REQUEST, "The body must be a JSON object.");
    }

    /** For actions without parameters: no body, or an empty object. */
    public void nothing(byte[] body) {
        ObjectNode object = object(body);
        if (!object.isEmpty()) {
            throw ProblemException.invalidField(
                    ErrorCode.UNKNOWN_FIELD,
                    object.fieldNames().next(),
                    "known",
                    "there is no such field; see /v1/openapi.json");
        }
    }

    private <T> void validate(T value) {
        Set<ConstraintViolation<T>> violations = validator.validate(value);
        if (!violations.isEmpty()) {
            List<InvalidParameter> fields = violations.stream()
                    .map(v -> new InvalidParameter(
                            snake(v.getPropertyPath().toString()),
                            v.getConstraintDescriptor()
                                    .getAnnotation()
                                    .annotationType()
                                    .getSimpleName()
                                    .toLowerCase(java.util.Locale.ROOT),
                            v.getMessage(),
                            "body"))
                    .sorted(java.util.Comparator.comparing(InvalidParameter::field))
                    .toList();
            throw ProblemException.invalid(ErrorCode.VALIDATION_FAILED, fields);
        }
    }

    private static ProblemException syntax(IOException cause) {
        String where = cause instanceof JsonProcessingException at && at.getLocation() != null
                ? " near line " + at.getLocation().getLineNr() + ", column "
                        + at.getLocation().getColumnNr()
                : "";
        return ProblemException.of(ErrorCode.INVALID_REQUEST, "The body is not valid JSON" + where + ".");
    }

    private static String field(JsonMappingException at) {
        String path = at.getPath().stream()
                .map(ref -> ref.getFieldName() == null ? "[" + ref.getIndex() + "]" : ref.getFieldName())
                .collect(Collectors.joining("."));
        return path.isEmpty() ? "body" : path.replace(".[", "[");
    }

    static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(java.util.Locale.ROOT);
    }
}
