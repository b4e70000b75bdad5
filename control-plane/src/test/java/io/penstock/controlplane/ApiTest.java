package io.penstock.controlplane;

import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.enterprise.inject.spi.CDI;
import java.net.URI;

/** Base of tests that call the running application. */
abstract class ApiTest {
    @TestHTTPResource("/")
    URI base;

    /** Looked up and not injected: with another profile the bean is not there, and its test does not run. */
    static <T> T bean(Class<T> type) {
        return CDI.current().select(type).get();
    }
}
