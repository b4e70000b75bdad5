package io.penstock.server.json;

import java.util.Collection;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;

/** Writes JSON. */
public final class Json {
    private final StringBuilder out = new StringBuilder(1024);
    /** Spaces of one level, or empty for one line. */
    private final String indent;

    private int depth;

    private Json(String indent) {
        this.indent = indent;
    }

    /** On one line, without spaces. */
    public static String compact(Object value) {
        Json json = new Json("");
        json.write(value);
        return json.out.toString();
    }

    /** Over several lines, two spaces a level. */
    public static String pretty(Object value) {
        Json json = new Json("  ");
        json.write(value);
        return json.out.toString();
    }

    private void write(Object value) {
        switch (value) {
            case null -> out.append("null");
            case String text -> quote(text);
            case Double number -> out.append(decimal(number));
            case Float number -> out.append(decimal(number.doubleValue()));
            case Number number -> out.append(number);
            case Boolean flag -> out.append(flag.booleanValue());
            case JsonObject object -> object(object.members());
            case Map<?, ?> map -> object(map);
            case Collection<?> items -> array(items);
            default -> quote(value.toString());
        }
    }

    private void object(Map<?, ?> members) {
        if (members.isEmpty()) {
            out.append("{}");
            return;
        }
        out.append('{');
        depth++;
        Iterator<? extends Map.Entry<?, ?>> entries = members.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            newLine();
            quote(String.valueOf(entry.getKey()));
            out.append(indent.isEmpty() ? ":" : ": ");
            write(entry.getValue());
            out.append(entries.hasNext() ? "," : "");
        }
        depth--;
        newLine();
        out.append('}');
    }

    private void array(Collection<?> items) {
        if (items.isEmpty()) {
            out.append("[]");
            return;
        }
        out.append('[');
        depth++;
        Iterator<?> values = items.iterator();
        while (values.hasNext()) {
            newLine();
            write(values.next());
            out.append(values.hasNext() ? "," : "");
        }
        depth--;
        newLine();
        out.append(']');
    }

    private void newLine() {
        if (!indent.isEmpty()) {
            out.append('\n').repeat(indent, depth);
        }
    }

    /** Whole numbers without a fraction, as readers of these pages expect. */
    private static String decimal(double number) {
        if (!Double.isFinite(number)) {
            return "0";
        }
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    boolean escape = c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029';
                    if (escape) {
                        out.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
