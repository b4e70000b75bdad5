package io.penstock.broker.system;

import io.penstock.broker.Account;
import io.penstock.broker.Connection;
import io.penstock.broker.RoutedMessage;

/**
 * A request as it came in, copied so that it can be answered on another thread.
 *
 * @param account where it was asked and where the reply goes
 * @param connection who asked, or null for the server itself
 * @param reply null when nobody waits
 */
record Question(
        Account account,
        Connection connection,
        String subject,
        String reply,
        byte[] headers,
        byte[] body,
        boolean acceptsGzip) {
    static Question of(RoutedMessage message) {
        byte[] headers = message.headers();
        return new Question(
                message.account(),
                message.connection(),
                message.subject(),
                message.reply(),
                headers,
                message.payload(),
                headers.length > 0 && ReplySender.acceptsGzip(headers));
    }

    /** The n-th token of the subject, from 0. */
    String token(int index) {
        return subject.split("\\.", -1)[index];
    }
}
