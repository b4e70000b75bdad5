package io.penstock.controlplane.credential;

import jakarta.validation.constraints.Size;

/** Why something is revoked. */
record RevokeRequest(
        @Size(max = 500, message = "at most 500 characters") String reason) {

    String text() {
        return reason == null ? "" : reason;
    }
}
