package io.penstock.controlplane.tenancy;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.persistence.OptimisticLockException;
import jakarta.ws.rs.core.HttpHeaders;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** What failures of transactions mean to a caller of the API. Pure. */
final class DatabaseFailures {
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String FOREIGN_KEY_VIOLATION = "23503";

    /** Serialization failure and deadlock: the database undid the transaction, and the same one may pass now. */
    private static final Set<String> UNDONE = Set.of("40001", "40P01");

    /** Connection lost, no resources, shut down or starting: nothing is wrong with the call. */
    private static final Set<String> AWAY = Set.of("08", "53", "57");

    private DatabaseFailures() {}

    /** Whether the transaction was undone only because of what others did at the same moment. */
    static boolean undone(Throwable failure) {
        return sql(failure)
                .map(SQLException::getSQLState)
                .filter(UNDONE::contains)
                .isPresent();
    }

    /** The problem that it is, or `failure` itself where it is none that a caller can do something about. */
    static RuntimeException translated(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProblemException problem) {
                return problem;
            }
            if (cause instanceof OptimisticLockException) {
                return ProblemException.of(
                        ErrorCode.VERSION_MISMATCH,
                        "It was changed by somebody else at the same moment. Read it again.");
            }
        }
        return sql(failure)
                .map(SQLException::getSQLState)
                .flatMap(DatabaseFailures::meaning)
                .map(problem -> (RuntimeException) problem)
                .orElse(failure);
    }

    private static Optional<ProblemException> meaning(String state) {
        if (UNIQUE_VIOLATION.equals(state)) {
            return Optional.of(
                    ProblemException.of(ErrorCode.ALREADY_EXISTS, "The name is taken here. Choose another one."));
        }
        if (FOREIGN_KEY_VIOLATION.equals(state)) {
            return Optional.of(
                    ProblemException.of(ErrorCode.HAS_DEPENDENTS, "Something still depends on it. Delete that first."));
        }
        if (UNDONE.contains(state) || (state.length() == 5 && AWAY.contains(state.substring(0, 2)))) {
            return Optional.of(ProblemException.of(
                            ErrorCode.UNAVAILABLE, "The database is busy or away. Repeat the call in a moment.")
                    .header(HttpHeaders.RETRY_AFTER, "1"));
        }
        return Optional.empty();
    }

    private static Optional<SQLException> sql(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }
}
