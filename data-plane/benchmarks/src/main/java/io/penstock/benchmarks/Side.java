package io.penstock.benchmarks;

/** Whose figures they are. */
enum Side {
    /** This broker. */
    OURS,
    /** nats-server. */
    REFERENCE
}
