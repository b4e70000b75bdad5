package io.penstock.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Reads the configuration language: a superset of JSON with comments, bare words, sizes, variables and includes
 * (docs/server.md describes it). Stops at the first syntax error.
 */
public final class ConfigParser {
    private static final int MAX_INCLUDE_DEPTH = 32;

    /** The environment: a name to its value, or null. */
    private final UnaryOperator<String> environment;

    private final Set<Position> variables = new HashSet<>();
    /** Files being read, the innermost last. */
    private final List<Path> including = new ArrayList<>();
    /** Environment variables being resolved, to find cycles. */
    private final Set<String> resolving = new HashSet<>();

    private ConfigParser(UnaryOperator<String> environment) {
        this.environment = environment;
    }

    /**
     * Reads a file with its includes.
     *
     * @param file named in messages as given here
     */
    public static ConfigDocument parseFile(String file, UnaryOperator<String> environment) throws ConfigException {
        ConfigParser parser = new ConfigParser(environment);
        return parser.document(parser.file(file, null));
    }

    private ConfigDocument document(ConfigValue.Block root) {
        return new ConfigDocument(root, ConfigDigest.of(root), Set.copyOf(variables));
    }

    private ConfigValue.Block file(String name, Position from) throws ConfigException {
        Path path = Path.of(name).toAbsolutePath().normalize();
        if (including.contains(path) || including.size() >= MAX_INCLUDE_DEPTH) {
            throw new ConfigException(from, "error parsing include file '" + name + "', it includes itself");
        }
        including.add(path);
        try {
            return body(name, Files.readString(path, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            throw new ConfigException(from, "open " + name + ": no such file or directory");
        } catch (IOException e) {
            throw new ConfigException(from, "open " + name + ": cannot be read (" + e.getMessage() + ")");
        } finally {
            including.removeLast();
        }
    }

    private ConfigValue.Block body(String name, String text) throws ConfigException {
        return new Body(name, text).top();
    }

    /** The reading of one file: its cursor and the maps that are open, for variables. */
    private final class Body {
        private final String name;
        private final Cursor cursor;
        private final ScalarReader scalars;
        private final List<LinkedHashMap<String, ConfigValue>> scopes = new ArrayList<>();

        Body(String name, String text) {
            this.name = name;
            this.cursor = new Cursor(name, text);
            this.scalars = new ScalarReader(cursor);
        }

        ConfigValue.Block top() throws ConfigException {
            Position position = cursor.position();
            LinkedHashMap<String, ConfigValue> root = new LinkedHashMap<>();
            scopes.add(root);
            while (true) {
                cursor.skipSpaceAndComments();
                if (cursor.atEnd()) {
                    return new ConfigValue.Block(root, position);
                }
                if (cursor.peek() == '{') {
                    cursor.next();
                    entries(root);
                    topEnd();
                } else if (cursor.peek() == '}') {
                    closesNothing();
                } else {
                    entry(root, true);
                    topEnd();
                }
            }
        }

        /** A closing brace too many is tolerated as the last thing of a file. */
        private void closesNothing() throws ConfigException {
            Position position = cursor.position();
            cursor.next();
            cursor.skipSpaceAndComments();
            if (!cursor.atEnd()) {
                throw new ConfigException(position, "Unexpected '}': no map is open here");
            }
        }

        private void topEnd() throws ConfigException {
            cursor.skipBlanks();
            cursor.skipComment();
            char c = cursor.peek();
            if (Cursor.isLineBreak(c) || c == ';' || c == ',') {
                cursor.next();
            } else if (c != Cursor.END && c != '}') {
                throw cursor.error("Expected a top-level value to end with a new line, comment or EOF, but got '"
                        + Cursor.show(c) + "' instead.");
            }
        }

        /** The inside of a map up to and including its closing brace. */
        private void entries(Map<String, ConfigValue> target) throws ConfigException {
            while (true) {
                cursor.skipSpaceAndComments();
                char c = cursor.peek();
                if (c == Cursor.END) {
                    throw cursor.error("Unexpected EOF processing map: a } is missing");
                }
                if (c == ']') {
                    throw cursor.error("Unexpected array end ']' processing map.");
                }
                if (c == '}') {
                    cursor.next();
                    return;
                }
                entry(target, false);
                cursor.skipBlanks();
                cursor.skipComment();
                c = cursor.peek();
                if (c == ';' || c == ',' || Cursor.isLineBreak(c)) {
                    cursor.next();
                } else if (c != '}' && c != Cursor.END) {
                    throw cursor.error("Expected a map value terminator ',' or a map terminator '}', but got '"
                            + Cursor.show(c) + "' instead.");
                }
            }
        }

        private void entry(Map<String, ConfigValue> target, boolean top) throws ConfigException {
            boolean quoted = cursor.peek() == '"' || cursor.peek() == '\'';
            if (quoted) {
                char quote = cursor.next();
                Position position = cursor.position();
                String key = quotedKey(quote);
                value(target, key, position, top);
                return;
            }
            Position position = cursor.position();
            String key = bareKey();
            if (key.toLowerCase(Locale.ROOT).equals("include") && Cursor.isSpace(cursor.peek())) {
                include(target, position);
            } else {
                value(target, key, position, top);
            }
        }

        private String quotedKey(char quote) throws ConfigException {
            int start = cursor.offset();
            while (cursor.peek() != quote) {
                if (cursor.atEnd()) {
                    throw cursor.error("Unexpected EOF processing quoted map key.");
                }
                cursor.next();
            }
            String key = ScalarReader.utf8(cursor.since(start));
            cursor.next();
            return key;
        }

        private String bareKey() throws ConfigException {
            int start = cursor.offset();
            if (cursor.peek() == '=' || cursor.peek() == ':') {
                throw cursor.error("Unexpected key separator '" + cursor.peek() + "'");
            }
            while (!Cursor.isSpace(cursor.peek()) && cursor.peek() != '=' && cursor.peek() != ':' && !cursor.atEnd()) {
                cursor.next();
            }
            return ScalarReader.utf8(cursor.since(start));
        }

        private void value(Map<String, ConfigValue> target, String key, Position position, boolean top)
                throws ConfigException {
            while (Cursor.isSpace(cursor.peek())) {
                cursor.next();
            }
            if (cursor.atEnd()) {
                throw new ConfigException(position, "config is invalid: key \"" + key + "\" has no value");
            }
            if (cursor.peek() == '=' || cursor.peek() == ':') {
                cursor.next();
                // Inside a map the value may begin on the next line, at top level it may not.
                while (top ? cursor.peek() == ' ' || cursor.peek() == '\t' : Cursor.isSpace(cursor.peek())) {
                    cursor.next();
                }
            }
            if (!top && (cursor.peek() == ',' || cursor.peek() == '}')) {
                throw cursor.error(
                        "Unexpected map value terminator '" + cursor.peek() + "': key \"" + key + "\" has no value");
            }
            target.put(key, read(position));
        }

        private ConfigValue read(Position position) throws ConfigException {
            char c = cursor.peek();
            return switch (c) {
                case '[' -> array(position);
                case '{' -> map(position);
                case '\'' -> {
                    cursor.next();
                    yield new ConfigValue.Text(scalars.singleQuoted(), position);
                }
                case '"' -> {
                    cursor.next();
                    yield new ConfigValue.Text(scalars.doubleQuoted(), position);
                }
                case '(' -> {
                    cursor.next();
                    yield new ConfigValue.Text(scalars.block(), position);
                }
                case '-' -> scalars.negative(position);
                case '.' -> throw cursor.error("Floats must start with a digit");
                case '\n', '\r' -> throw cursor.error("Expected value but found new line");
                default -> Cursor.isDigit(c) ? scalars.number(cursor.offset(), position) : word(position);
            };
        }

        private ConfigValue word(Position position) throws ConfigException {
            ScalarReader.Bare bare = scalars.bare();
            if (bare.isVariable()) {
                return variable(bare.word().substring(1), position);
            }
            if (!bare.escaped()) {
                switch (bare.word().toLowerCase(Locale.ROOT)) {
                    case "true", "on", "yes" -> {
                        return new ConfigValue.Flag(true, position);
                    }
                    case "false", "off", "no" -> {
                        return new ConfigValue.Flag(false, position);
                    }
                    default -> {}
                }
            }
            return new ConfigValue.Text(bare.word(), position);
        }

        private ConfigValue array(Position position) throws ConfigException {
            cursor.next();
            List<ConfigValue> values = new ArrayList<>();
            while (true) {
                cursor.skipSpaceAndComments();
                if (cursor.peek() == ',') {
                    throw cursor.error("Unexpected array value terminator ','.");
                }
                if (cursor.atEnd()) {
                    throw cursor.error("Unexpected EOF processing array: a ] is missing");
                }
                if (cursor.peek() == ']') {
                    cursor.next();
                    return new ConfigValue.Items(List.copyOf(values), position);
                }
                values.add(read(elementPosition()));
                cursor.skipBlanks();
                cursor.skipComment();
                char c = cursor.peek();
                if (c == ',' || Cursor.isLineBreak(c)) {
                    cursor.next();
                } else if (c != ']' && c != Cursor.END) {
                    throw cursor.error("Expected an array value terminator ',' or an array terminator ']', but got '"
                            + Cursor.show(c) + "' instead.");
                }
            }
        }

        /** Points behind the quote of a quoted element. */
        private Position elementPosition() {
            Position here = cursor.position();
            boolean quoted = cursor.peek() == '"' || cursor.peek() == '\'';
            return quoted ? new Position(here.file(), here.line(), here.column() + 1) : here;
        }

        private ConfigValue map(Position position) throws ConfigException {
            cursor.next();
            LinkedHashMap<String, ConfigValue> inside = new LinkedHashMap<>();
            scopes.add(inside);
            entries(inside);
            scopes.removeLast();
            return new ConfigValue.Block(inside, position);
        }

        private void include(Map<String, ConfigValue> target, Position position) throws ConfigException {
            cursor.skipBlanks();
            char c = cursor.peek();
            String path;
            if (c == '\'' || c == '"') {
                cursor.next();
                path = quotedKey(c);
            } else if (c == '['
                    || c == '{'
                    || c == '('
                    || c == '-'
                    || c == '\\'
                    || Cursor.isDigit(c)
                    || Cursor.isLineBreak(c)
                    || c == Cursor.END) {
                throw cursor.error("Expected include value but found '" + Cursor.show(c) + "'");
            } else {
                path = scalars.bare().word();
            }
            Path base = Path.of(name).getParent();
            String resolved = base == null ? path : base.resolve(path).toString();
            target.putAll(file(resolved, position).entries());
        }

        private ConfigValue variable(String reference, Position position) throws ConfigException {
            if (reference.startsWith("2a$") || reference.startsWith("2b$") || reference.startsWith("2y$")) {
                return new ConfigValue.Text("$" + reference, position);
            }
            for (int i = scopes.size() - 1; i >= 0; i--) {
                ConfigValue found = scopes.get(i).get(reference);
                if (found != null) {
                    variables.add(found.position());
                    return found.at(position);
                }
            }
            String fromEnvironment = reference.isEmpty() ? null : environment.apply(reference);
            if (fromEnvironment == null) {
                throw new ConfigException(position, "variable reference for '" + reference + "' can not be found");
            }
            if (!resolving.add(reference)) {
                throw new ConfigException(position, "variable reference cycle for '" + reference + "'");
            }
            try {
                String text = "pk="
                        + new String(fromEnvironment.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
                ConfigValue value = new Body(name, text).top().entries().get("pk");
                return value.at(position);
            } catch (ConfigException e) {
                throw new ConfigException(
                        position,
                        "variable reference for '" + reference + "' could not be parsed: "
                                + e.problems().getFirst().message());
            } finally {
                resolving.remove(reference);
            }
        }
    }
}
