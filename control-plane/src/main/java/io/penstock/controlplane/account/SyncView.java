package io.penstock.controlplane.account;

import java.time.Instant;

/** How far the broker has got with what was asked for. */
public record SyncView(
        long desiredGeneration, long observedGeneration, String state, String lastError, Instant since) {}
