package io.penstock.chaos.workload;

import io.penstock.chaos.host.ChaosCluster;
import java.util.Random;

/** Clients at work, and the check of what they saw. */
public interface Workload {
    /** Makes the streams; the cluster is whole. */
    void prepare() throws Exception;

    /** Starts the clients. */
    void start();

    /** Stops those who write. Readers go on until {@link #check}. */
    void stopWriting();

    /** Reads everything back and compares; the cluster is whole again. */
    void check() throws Exception;

    AckGap gap();

    /** Has clients that publish connect to different nodes again: after a fault they crowd on those that were left. */
    default void spread() {}

    /** The stream that carries it. */
    String stream();

    /** Operations answered. */
    long acked();

    /** What exists, by the name on the command line. */
    enum Kind {
        /** Synchronous publishers into a stream with limits, ids on half of the messages. */
        W1,
        /** A work queue with four workers, refusals and forgotten messages. */
        W2,
        /** Interest retention with three durable consumers, one of them slow. */
        W3,
        /** Compare-and-set on the keys of a bucket. */
        W4;

        /** Clients of this kind. */
        public Workload create(ChaosCluster cluster, Random random, Violations violations) {
            return switch (this) {
                case W1 -> new LimitsWorkload(cluster, violations);
                case W2 -> new QueueWorkload(cluster, random.nextLong(), violations);
                case W3 -> new InterestWorkload(cluster, violations);
                case W4 -> new KeyValueWorkload(cluster, random.nextLong(), violations);
            };
        }
    }
}
