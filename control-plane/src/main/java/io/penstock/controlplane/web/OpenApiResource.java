package io.penstock.controlplane.web;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Serves the contract: the document of the repository, which tests hold the operations and their answers to. */
@Path("/v1/openapi.json")
public class OpenApiResource {
    private static final byte[] DOCUMENT = read();

    @GET
    @Public
    @Produces("application/json")
    public byte[] get() {
        return DOCUMENT.clone();
    }

    private static byte[] read() {
        try (InputStream in = OpenApiResource.class.getResourceAsStream("/openapi/openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi/openapi.json is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
