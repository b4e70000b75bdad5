package io.penstock.broker.engine;

import io.penstock.broker.ConnectRequest;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.ConnectionType;
import io.penstock.broker.Identity;
import java.nio.charset.StandardCharsets;

/** How a connection is named in the log: address, number, and once it has logged in its program and its user. */
final class ConnectionLabel {
    private ConnectionLabel() {}

    static String of(ConnectionInfo info) {
        String host = info.remoteHost();
        boolean bare = host.indexOf(':') < 0;
        String kind = info.type() == ConnectionType.WEBSOCKET ? " - wid:" : " - cid:";
        return (bare ? host : "[" + host + "]") + ":" + info.remotePort() + kind + info.id();
    }

    static String of(ConnectionInfo info, ConnectRequest said, LocalAccount account, Identity who) {
        StringBuilder label = new StringBuilder(of(info));
        if (said.implicit()) {
            return label.toString();
        }
        String program = program(said);
        if (!program.isEmpty()) {
            appendQuoted(label, program);
        }
        String user = user(said, who);
        if (!user.isEmpty()) {
            appendQuoted(label, account.publicName() + "/" + user);
        }
        return label.toString();
    }

    private static void appendQuoted(StringBuilder label, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        label.append(" - \"");
        Quoted.append(label, bytes, 0, bytes.length);
        label.append('"');
    }

    private static String program(ConnectRequest said) {
        StringBuilder program = new StringBuilder();
        if (said.version() != null) {
            program.append('v').append(said.version());
        }
        for (String part : new String[] {said.language(), said.name()}) {
            if (part != null) {
                program.append(program.isEmpty() ? "" : ":").append(part);
            }
        }
        return program.toString();
    }

    /** How it proved who it is, and the public part of that. */
    private static String user(ConnectRequest said, Identity who) {
        if (said.nkey() != null) {
            return "nkey:" + said.nkey();
        }
        if (said.user() != null) {
            return "user:" + said.user();
        }
        if (said.jwt() != null) {
            return "jwt:" + who.user();
        }
        if (said.token() != null) {
            return "token";
        }
        return who.user().isEmpty() ? "" : "user:" + who.user();
    }
}
