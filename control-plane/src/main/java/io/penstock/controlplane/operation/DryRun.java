package io.penstock.controlplane.operation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a change would do. `affected` has only what applies: streams, messages (a string), bytes, users and so on. `restorableUntil` is
 * null when nothing is deleted or the deletion is final.
 */
public record DryRun(
        boolean valid,
        JsonNode changes,
        Map<String, Object> affected,
        List<String> warnings,
        Instant restorableUntil) {}
