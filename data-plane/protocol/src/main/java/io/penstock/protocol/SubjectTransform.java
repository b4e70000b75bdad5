package io.penstock.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Turns subjects that match a source pattern into subjects of another form, such as {@code orders.*.*} into
 * {@code shard.{{partition(4,1)}}.{{wildcard(2)}}}. Immutable and thread-safe.
 *
 * <p>Each token of the destination is literal, {@code $n}, or one function in double braces; {@code >} at the end
 * stands for all remaining tokens. Wildcards of the source count from 1.
 */
public final class SubjectTransform {
    private final String source;
    private final String destination;
    private final int[] wildcardPositions;
    private final int sourceTokens;
    private final boolean rest;
    private final List<TransformToken> tokens;

    private SubjectTransform(
            String source,
            String destination,
            int[] wildcardPositions,
            int sourceTokens,
            boolean rest,
            List<TransformToken> tokens) {
        this.source = source;
        this.destination = destination;
        this.wildcardPositions = wildcardPositions;
        this.sourceTokens = sourceTokens;
        this.rest = rest;
        this.tokens = List.copyOf(tokens);
    }

    /** A transform with every function. An empty source means every subject. */
    public static SubjectTransform of(String source, String destination) throws InvalidTransformException {
        return build(source.isEmpty() ? ">" : source, destination, false);
    }

    /** A transform that can be reversed: only wildcards, and each of them used. */
    public static SubjectTransform reversible(String source, String destination) throws InvalidTransformException {
        return build(source, destination, true);
    }

    private static SubjectTransform build(String source, String destination, boolean reversible)
            throws InvalidTransformException {
        if (!Subjects.isValidPattern(source)) {
            throw new InvalidTransformException("invalid mapping source: \"" + source + "\" is not a valid subject");
        }
        String[] from = source.split("\\.", -1);
        String[] to = destination.split("\\.", -1);
        int[] wildcards = wildcards(from);
        boolean rest = from[from.length - 1].equals(">");
        if (rest != to[to.length - 1].equals(">")) {
            throw new InvalidTransformException(
                    "invalid mapping destination: invalid transform, source and destination must both end in > or neither");
        }
        int literalTokens = rest ? to.length - 1 : to.length;
        List<TransformToken> tokens = new ArrayList<>(literalTokens);
        for (int i = 0; i < literalTokens; i++) {
            TransformToken token = TransformToken.parse(to[i]);
            token.check(wildcards.length, reversible, to[i]);
            tokens.add(token);
        }
        if (reversible) {
            requireAllUsed(tokens, wildcards.length);
        }
        return new SubjectTransform(source, destination, wildcards, rest ? from.length - 1 : from.length, rest, tokens);
    }

    private static int[] wildcards(String[] tokens) {
        int[] found = new int[tokens.length];
        int count = 0;
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i].equals("*")) {
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private static void requireAllUsed(List<TransformToken> tokens, int wildcards) throws InvalidTransformException {
        boolean[] used = new boolean[wildcards];
        for (TransformToken token : tokens) {
            if (token instanceof TransformToken.Wildcard wildcard) {
                used[wildcard.index() - 1] = true;
            }
        }
        for (boolean one : used) {
            if (!one) {
                throw new InvalidTransformException(
                        "invalid mapping destination: not using all of the token wildcard(s)");
            }
        }
    }

    public String source() {
        return source;
    }

    public String destination() {
        return destination;
    }

    /**
     * The transformed subject, or null when {@code subject} does not match the source.
     *
     * @param random gives a number from 0 to its argument, exclusive
     */
    public String apply(String subject, IntUnaryOperator random) {
        return Subjects.matches(source, subject) ? applyMatched(subject, random) : null;
    }

    /** As {@link #apply}, for a subject (or pattern) known to match the source. */
    public String applyMatched(String subject, IntUnaryOperator random) {
        String[] parts = subject.split("\\.", -1);
        String[] wildcards = new String[wildcardPositions.length];
        for (int i = 0; i < wildcards.length; i++) {
            wildcards[i] = parts[wildcardPositions[i]];
        }
        StringBuilder result = new StringBuilder(subject.length() + 16);
        for (TransformToken token : tokens) {
            token.append(result, subject, wildcards, random);
            result.append('.');
        }
        if (rest) {
            for (int i = sourceTokens; i < parts.length; i++) {
                result.append(parts[i]).append('.');
            }
        }
        result.setLength(result.length() - 1);
        return result.toString();
    }

    /** The transform from destination back to source of one made by {@link #reversible}. */
    public SubjectTransform reverse() throws InvalidTransformException {
        StringBuilder from = new StringBuilder();
        int[] order = new int[wildcardPositions.length];
        int seen = 0;
        for (TransformToken token : tokens) {
            if (token instanceof TransformToken.Wildcard wildcard) {
                order[wildcard.index() - 1] = ++seen;
                from.append("*.");
            } else if (token instanceof TransformToken.Literal literal) {
                from.append(literal.text()).append('.');
            } else {
                throw new InvalidTransformException("only a transform of wildcards can be reversed: " + destination);
            }
        }
        StringBuilder to = new StringBuilder();
        int wildcard = 0;
        String[] parts = source.split("\\.", -1);
        for (int i = 0; i < sourceTokens; i++) {
            to.append(parts[i].equals("*") ? "$" + order[wildcard++] : parts[i]).append('.');
        }
        from.append(rest ? ">" : "");
        to.append(rest ? ">" : "");
        return build(trimDot(from), trimDot(to), true);
    }

    private static String trimDot(StringBuilder text) {
        int last = text.length() - 1;
        return text.charAt(last) == '.' ? text.substring(0, last) : text.toString();
    }

    @Override
    public String toString() {
        return source + " -> " + destination;
    }
}
