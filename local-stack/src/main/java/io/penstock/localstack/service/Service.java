package io.penstock.localstack.service;

import io.penstock.localstack.process.ProcessSpec;
import java.time.Duration;

/** One process of the stack. */
public interface Service {
    /** Name in {@code status}, {@code logs} and the file names. */
    String name();

    /** What has to exist before the process starts: folders, databases, configuration files. */
    void prepare();

    ProcessSpec process();

    /** Whether it answers; called again and again until it does, the process ends, or {@link #startLimit} is over. */
    boolean ready();

    /** What follows once it is ready and before the next wave starts. */
    default void afterStart() {}

    /** How long a start may take on a slow machine. */
    default Duration startLimit() {
        return Duration.ofMinutes(2);
    }

    /** The signal that stops it cleanly is TERM; how long it may take before it is killed. */
    default Duration stopLimit() {
        return Duration.ofSeconds(20);
    }
}
