package io.penstock.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One token of a transform's destination. */
sealed interface TransformToken {
    Pattern CALL = Pattern.compile("\\{\\{\\s*([A-Za-z]+)\\s*\\((.*)\\)\\s*}}");

    /** Appends this token's text, without a dot at the end. */
    void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random);

    /** Highest wildcard used, 0 for none. */
    default int highestWildcard() {
        return 0;
    }

    /** Checks the token against the source it is used with. */
    default void check(int wildcards, boolean reversible, String text) throws InvalidTransformException {
        if (reversible && !(this instanceof Literal) && !(this instanceof Wildcard)) {
            throw invalid("the only mapping function allowed for import transforms is {{Wildcard()}}", text);
        }
        if (highestWildcard() > wildcards) {
            throw invalid("wildcard index out of range", text);
        }
    }

    /** Text as it stands. */
    record Literal(String text) implements TransformToken {
        @Override
        public void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random) {
            out.append(text);
        }
    }

    /** The token a wildcard stood for. */
    record Wildcard(int index) implements TransformToken {
        @Override
        public void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random) {
            out.append(wildcards[index - 1]);
        }

        @Override
        public int highestWildcard() {
            return index;
        }
    }

    /** A partition number from the hash of some wildcards, or of the whole subject. */
    record Partition(int partitions, int[] indexes) implements TransformToken {
        private static final int FNV_OFFSET = 0x811c9dc5;
        private static final int FNV_PRIME = 0x01000193;

        @Override
        public void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random) {
            int hash = FNV_OFFSET;
            if (indexes.length == 0) {
                hash = fold(hash, subject);
            }
            for (int index : indexes) {
                hash = fold(hash, wildcards[index - 1]);
            }
            out.append(partitions == 0 ? 0 : Integer.remainderUnsigned(hash, partitions));
        }

        private static int fold(int hash, String text) {
            int folded = hash;
            for (byte b : text.getBytes(StandardCharsets.ISO_8859_1)) {
                folded = (folded ^ (b & 0xff)) * FNV_PRIME;
            }
            return folded;
        }

        @Override
        public int highestWildcard() {
            int highest = 0;
            for (int index : indexes) {
                highest = Math.max(highest, index);
            }
            return highest;
        }
    }

    /** A number drawn anew for each message. */
    record RandomNumber(int bound) implements TransformToken {
        @Override
        public void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random) {
            out.append(bound == 0 ? 0 : random.applyAsInt(bound));
        }
    }

    /** One wildcard cut into tokens at a delimiter; empty pieces vanish. */
    record Split(int index, String delimiter) implements TransformToken {
        @Override
        public void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random) {
            int before = out.length();
            for (String piece : wildcards[index - 1].split(Pattern.quote(delimiter), -1)) {
                if (!piece.isEmpty()) {
                    out.append(out.length() > before ? "." : "").append(piece);
                }
            }
        }

        @Override
        public int highestWildcard() {
            return index;
        }
    }

    /** How {@link Cut} cuts. */
    enum CutKind {
        /** Two tokens, the first of the given length. */
        SPLIT_FROM_LEFT,
        /** Two tokens, the last of the given length. */
        SPLIT_FROM_RIGHT,
        /** Tokens of the given length, the last takes what is left. */
        SLICE_FROM_LEFT,
        /** Tokens of the given length, the first takes what is left. */
        SLICE_FROM_RIGHT,
        /** The first characters only. */
        LEFT,
        /** The last characters only. */
        RIGHT
    }

    /** One wildcard cut at a position. */
    record Cut(CutKind kind, int index, int size) implements TransformToken {
        @Override
        public void append(StringBuilder out, String subject, String[] wildcards, IntUnaryOperator random) {
            String token = wildcards[index - 1];
            int length = token.length();
            if (size <= 0 || size >= length) {
                out.append(token);
                return;
            }
            switch (kind) {
                case SPLIT_FROM_LEFT -> out.append(token, 0, size).append('.').append(token, size, length);
                case SPLIT_FROM_RIGHT ->
                    out.append(token, 0, length - size).append('.').append(token, length - size, length);
                case SLICE_FROM_LEFT -> slice(out, token, 0);
                case SLICE_FROM_RIGHT -> slice(out, token, length % size);
                case LEFT -> out.append(token, 0, size);
                case RIGHT -> out.append(token, length - size, length);
            }
        }

        private void slice(StringBuilder out, String token, int first) {
            out.append(token, 0, first);
            for (int i = first; i < token.length(); i += size) {
                out.append(i > 0 ? "." : "").append(token, i, Math.min(i + size, token.length()));
            }
        }

        @Override
        public int highestWildcard() {
            return index;
        }
    }

    /** Reads one token of a destination. */
    static TransformToken parse(String text) throws InvalidTransformException {
        if (text.length() > 1 && text.charAt(0) == '$' && isNumber(text.substring(1))) {
            return new Wildcard(index(text.substring(1), text));
        }
        if (!text.startsWith("{{") || !text.endsWith("}}")) {
            if (!Subjects.isValidLiteral(text)) {
                throw invalid("invalid transform", text);
            }
            return new Literal(text);
        }
        Matcher call = CALL.matcher(text);
        if (!call.matches()) {
            throw invalid("unknown function", text);
        }
        String[] arguments =
                call.group(2).isBlank() ? new String[0] : call.group(2).split(",", -1);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].trim();
        }
        // The first letter may be of either case, the others may not.
        String name = call.group(1);
        String function = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
        return switch (function) {
            case "wildcard" -> new Wildcard(index(exactly(arguments, 1, text)[0], text));
            case "partition" -> partition(arguments, text);
            case "random" -> new RandomNumber(number(exactly(arguments, 1, text)[0], text));
            case "split" -> split(exactly(arguments, 2, text), text);
            case "splitFromLeft" -> cut(CutKind.SPLIT_FROM_LEFT, arguments, text);
            case "splitFromRight" -> cut(CutKind.SPLIT_FROM_RIGHT, arguments, text);
            case "sliceFromLeft" -> cut(CutKind.SLICE_FROM_LEFT, arguments, text);
            case "sliceFromRight" -> cut(CutKind.SLICE_FROM_RIGHT, arguments, text);
            case "left" -> cut(CutKind.LEFT, arguments, text);
            case "right" -> cut(CutKind.RIGHT, arguments, text);
            default -> throw invalid("unknown function", text);
        };
    }

    private static TransformToken partition(String[] arguments, String text) throws InvalidTransformException {
        if (arguments.length == 0) {
            throw invalid("not enough arguments passed to the function", text);
        }
        int[] indexes = new int[arguments.length - 1];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = index(arguments[i + 1], text);
        }
        return new Partition(number(arguments[0], text), indexes);
    }

    private static TransformToken split(String[] arguments, String text) throws InvalidTransformException {
        if (arguments[1].isEmpty() || arguments[1].contains(" ") || arguments[1].contains(".")) {
            throw invalid("function argument is invalid or in the wrong format", text);
        }
        return new Split(index(arguments[0], text), arguments[1]);
    }

    private static TransformToken cut(CutKind kind, String[] arguments, String text) throws InvalidTransformException {
        exactly(arguments, 2, text);
        return new Cut(kind, index(arguments[0], text), number(arguments[1], text));
    }

    private static String[] exactly(String[] arguments, int count, String text) throws InvalidTransformException {
        if (arguments.length < count) {
            throw invalid("not enough arguments passed to the function", text);
        }
        if (arguments.length > count) {
            throw invalid("too many arguments passed to the function", text);
        }
        return arguments;
    }

    private static int index(String argument, String text) throws InvalidTransformException {
        int index = number(argument, text);
        if (index < 1) {
            throw invalid("wildcard index out of range", text);
        }
        return index;
    }

    private static int number(String argument, String text) throws InvalidTransformException {
        if (!isNumber(argument)) {
            throw invalid("function argument is invalid or in the wrong format", text);
        }
        return Integer.parseInt(argument);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static InvalidTransformException invalid(String rule, String text) {
        return new InvalidTransformException("invalid mapping destination: " + rule + " in " + text);
    }
}
