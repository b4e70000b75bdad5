package io.penstock.broker.engine;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/** The text of a CONNECT with its secrets blotted out. */
final class ConnectRedaction {
    /** A JWT may be all that its bearer needs, so it counts as one. */
    private static final Set<String> SECRETS = Set.of("pass", "auth_token", "sig", "nkey", "jwt", "proxy_sig");

    private static final String BLOT = "\"[REDACTED]\"";

    private ConnectRedaction() {}

    /** Appends the text; from where it cannot be read, nothing of it is shown. */
    static void append(StringBuilder out, byte[] bytes, int offset, int length) {
        int shown = offset;
        int end = offset + length;
        try (JsonParser json = ConnectJson.JSON.createParser(bytes, offset, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean secret = SECRETS.contains(json.currentName().toLowerCase(Locale.ROOT));
                json.nextToken();
                int from = offset + (int) json.currentTokenLocation().getByteOffset();
                if (secret) {
                    Quoted.appendPlain(out, bytes, shown, from);
                    out.append(BLOT);
                }
                json.skipChildren();
                json.finishToken();
                int to = offset + (int) json.currentLocation().getByteOffset();
                if (!secret) {
                    Quoted.appendPlain(out, bytes, shown, to);
                }
                shown = to;
            }
            Quoted.appendPlain(out, bytes, shown, end);
        } catch (IOException e) {
            out.append(BLOT);
        }
    }
}
