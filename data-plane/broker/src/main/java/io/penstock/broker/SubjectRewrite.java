package io.penstock.broker;

/** A pure function from a subject to the subject that is shown to a receiver. Wire bytes as strings. */
@FunctionalInterface
public interface SubjectRewrite {
    String rewrite(String subject);
}
