package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.Serial;

/** Writes {@code <}, {@code >} and {@code &} as escapes, so that JSON may stand in a web page unchanged. */
final class GoEscapes extends CharacterEscapes {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final SerializedString LESS = new SerializedString("\\u003c");
    private static final SerializedString GREATER = new SerializedString("\\u003e");
    private static final SerializedString AND = new SerializedString("\\u0026");

    private final int[] codes = standardAsciiEscapesForJSON();

    GoEscapes() {
        codes['<'] = ESCAPE_CUSTOM;
        codes['>'] = ESCAPE_CUSTOM;
        codes['&'] = ESCAPE_CUSTOM;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return codes;
    }

    @Override
    public SerializableString getEscapeSequence(int ch) {
        return switch (ch) {
            case '<' -> LESS;
            case '>' -> GREATER;
            case '&' -> AND;
            default -> null;
        };
    }
}
