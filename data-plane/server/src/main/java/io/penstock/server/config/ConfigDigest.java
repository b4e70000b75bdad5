package io.penstock.server.config;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The digest that names a configuration: SHA-256 of its JSON, keys sorted, no spaces, {@code < > &} escaped, one line
 * break at the end. The same file has the same digest on every server that speaks this language.
 */
final class ConfigDigest {
    private final StringBuilder json = new StringBuilder();

    private ConfigDigest() {}

    static String of(ConfigValue.Block root) {
        ConfigDigest digest = new ConfigDigest();
        digest.append(root);
        byte[] bytes = digest.json.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    private void append(ConfigValue value) {
        switch (value) {
            case ConfigValue.Text text -> quote(text.value());
            case ConfigValue.Whole whole -> json.append(whole.value());
            case ConfigValue.Decimal decimal -> json.append(decimal(decimal.value()));
            case ConfigValue.Flag flag -> json.append(flag.value());
            case ConfigValue.Moment moment -> quote(moment.value().toString());
            case ConfigValue.Items items -> array(items);
            case ConfigValue.Block block -> object(block);
        }
    }

    private void array(ConfigValue.Items items) {
        json.append('[');
        Iterator<ConfigValue> values = items.values().iterator();
        while (values.hasNext()) {
            append(values.next());
            if (values.hasNext()) {
                json.append(',');
            }
        }
        json.append(']');
    }

    private void object(ConfigValue.Block block) {
        json.append('{');
        boolean first = true;
        for (Map.Entry<String, ConfigValue> entry : new TreeMap<>(block.entries()).entrySet()) {
            if (!first) {
                json.append(',');
            }
            first = false;
            quote(entry.getKey());
            json.append(':');
            append(entry.getValue());
        }
        json.append('}');
    }

    /** Shortest digits that give the same number; with an exponent only when very small or very large. */
    private static String decimal(double value) {
        double size = Math.abs(value);
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (size != 0 && (size < 1e-6 || size >= 1e21)) {
            int exponent = exact.precision() - exact.scale() - 1;
            String digits = exact.unscaledValue().abs().toString();
            String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
            return (value < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+")
                    + Math.abs(exponent);
        }
        return exact.toPlainString();
    }

    private void quote(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                case '\b' -> json.append("\\b");
                case '\f' -> json.append("\\f");
                default -> {
                    boolean escape = c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029';
                    if (escape) {
                        json.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }
}
