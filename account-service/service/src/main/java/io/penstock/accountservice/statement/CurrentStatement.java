package io.penstock.accountservice.statement;

import jakarta.enterprise.context.RequestScoped;

/** The verified statement of the request being served. */
@RequestScoped
public class CurrentStatement {
    private Statement statement;

    void set(Statement verified) {
        statement = verified;
    }

    /** The statement; its absence is a programming error, since the filter lets nothing through without one. */
    public Statement get() {
        if (statement == null) {
            throw new IllegalStateException("no verified statement in this request");
        }
        return statement;
    }
}
