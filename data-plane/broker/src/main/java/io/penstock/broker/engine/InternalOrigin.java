package io.penstock.broker.engine;

import io.penstock.broker.ConnectionKind;
import io.penstock.broker.internal.MessageOrigin;

/** Who the server's own messages come from. */
record InternalOrigin(ConnectionKind kind, String account) {
    MessageOrigin origin() {
        return new MessageOrigin(kind.text(), 0, account, "", "", "", "", "", "", "", "", "", 0, 0);
    }
}
