package io.penstock.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;

/** Writes JSON trees the way readers of the monitoring pages are used to. */
public final class Json {
    private final StringBuilder out = new StringBuilder(1024);
    /** Spaces of one level, or empty for one line. */
    private final String indent;

    private int depth;

    private Json(String indent) {
        this.indent = indent;
    }

    /** On one line, without spaces. */
    public static String compact(JsonNode value) {
        Json json = new Json("");
        json.write(value);
        return json.out.toString();
    }

    /** Over several lines, two spaces a level. */
    public static String pretty(JsonNode value) {
        Json json = new Json("  ");
        json.write(value);
        return json.out.toString();
    }

    private void write(JsonNode value) {
        switch (value.getNodeType()) {
            case OBJECT -> object(value);
            case ARRAY -> array(value);
            case NUMBER -> out.append(value.isFloatingPointNumber() ? decimal(value.doubleValue()) : value.asText());
            case BOOLEAN -> out.append(value.booleanValue());
            case NULL, MISSING -> out.append("null");
            default -> quote(value.asText());
        }
    }

    private void object(JsonNode object) {
        if (object.isEmpty()) {
            out.append("{}");
            return;
        }
        out.append('{');
        depth++;
        Iterator<Map.Entry<String, JsonNode>> entries = object.properties().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, JsonNode> entry = entries.next();
            newLine();
            quote(entry.getKey());
            out.append(indent.isEmpty() ? ":" : ": ");
            write(entry.getValue());
            out.append(entries.hasNext() ? "," : "");
        }
        depth--;
        newLine();
        out.append('}');
    }

    private void array(JsonNode array) {
        if (array.isEmpty()) {
            out.append("[]");
            return;
        }
        out.append('[');
        depth++;
        Iterator<JsonNode> values = array.iterator();
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
