package io.penstock.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Our own name and version, beside the protocol version that clients are told. */
final class Product {
    static final String NAME = "penstock";

    private Product() {}

    /** As the build wrote it. */
    static String version() {
        try (InputStream in = Product.class.getResourceAsStream("version")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
