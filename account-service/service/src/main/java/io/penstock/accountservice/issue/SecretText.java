package io.penstock.accountservice.issue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.Arrays;

/** Text with a seed in it, which is written into one answer and wiped by that. It never becomes a string here. */
@JsonSerialize(using = SecretText.Writer.class)
public final class SecretText {
    private final byte[] ascii;

    /** Takes the bytes over. */
    public SecretText(byte[] ascii) {
        this.ascii = ascii;
    }

    @Override
    public String toString() {
        return "SecretText";
    }

    /** Writes the text once. */
    static final class Writer extends StdSerializer<SecretText> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(SecretText.class);
        }

        @Override
        public void serialize(SecretText text, JsonGenerator json, SerializerProvider provider) throws IOException {
            try {
                json.writeUTF8String(text.ascii, 0, text.ascii.length);
            } finally {
                Arrays.fill(text.ascii, (byte) 0);
            }
        }
    }
}
