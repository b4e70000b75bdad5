package io.penstock.storage.store;

/** A subject with messages held. {@code first} may lag behind the true first: it is looked for when asked. */
final class Subject {
    final String name;
    long messages;
    long first;
    long last;

    /** Whether the message at {@code first} is gone and the true first lies behind it. */
    boolean firstStale;

    Subject(String name) {
        this.name = name;
    }
}
