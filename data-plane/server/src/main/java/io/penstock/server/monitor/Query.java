package io.penstock.server.monitor;

/**
 * What is asked of a page. The same page is asked over HTTP, in a query string, and over the system account, in a JSON
 * object whose fields are named otherwise; so each method takes both names.
 */
interface Query {
    /** How much of subscriptions is wanted. */
    enum Subscriptions {
        /** Only their number. */
        COUNT,
        /** Their subjects. */
        SUBJECTS,
        /** Everything about each. */
        DETAIL
    }

    /** Which connections are wanted. */
    enum State {
        /** Those that are open. */
        OPEN,
        /** Those closed lately. */
        CLOSED,
        /** Both. */
        ALL
    }

    boolean flag(String name, String field) throws PageException;

    long whole(String name, String field, long otherwise) throws PageException;

    /** Empty when absent. */
    String text(String name, String field);

    Subscriptions subscriptions() throws PageException;

    State state() throws PageException;
}
