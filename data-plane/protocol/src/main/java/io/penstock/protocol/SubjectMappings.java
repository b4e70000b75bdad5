package io.penstock.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The subject mappings of an account: in order of definition, the first that matches decides. Immutable and thread-safe.
 */
public final class SubjectMappings {
    /** No mapping. */
    public static final SubjectMappings NONE = new SubjectMappings(List.of());

    private final List<Mapping> mappings;

    private SubjectMappings(List<Mapping> mappings) {
        this.mappings = List.copyOf(mappings);
    }

    /**
     * Where a share of the messages goes.
     *
     * @param weight percent, 0 to 100
     * @param cluster name of the only cluster this holds in, or empty
     */
    public record Destination(String subject, int weight, String cluster) {
        /** All messages, everywhere. */
        public static Destination all(String subject) {
            return new Destination(subject, 100, "");
        }
    }

    /** One mapping as it was defined. */
    public record Definition(String source, List<Destination> destinations) {}

    private record Choice(SubjectTransform transform, int upTo) {}

    private record Mapping(Definition definition, List<Choice> choices) {}

    /**
     * Compiles mappings.
     *
     * @param cluster name of this server's cluster, or empty
     * @throws InvalidTransformException when a destination cannot work or weights are wrong
     */
    public static SubjectMappings of(List<Definition> definitions, String cluster) throws InvalidTransformException {
        List<Mapping> mappings = new ArrayList<>();
        for (Definition definition : definitions) {
            mappings.add(compile(definition, cluster == null ? "" : cluster));
        }
        return mappings.isEmpty() ? NONE : new SubjectMappings(mappings);
    }

    private static Mapping compile(Definition definition, String cluster) throws InvalidTransformException {
        String source = definition.source();
        List<Destination> here = scoped(definition, cluster);
        List<Choice> choices = new ArrayList<>();
        int total = 0;
        boolean namesSource = false;
        for (Destination destination : here) {
            if (destination.weight() < 0 || destination.weight() > 100) {
                throw weights("individual weights need to be <= 100", source);
            }
            total += destination.weight();
            namesSource |= destination.subject().equals(source);
            choices.add(new Choice(transform(source, destination.subject()), total));
        }
        if (total > 100) {
            throw weights("total weight needs to be <= 100", source);
        }
        if (total < 100 && !namesSource) {
            choices.add(new Choice(null, 100));
        }
        return new Mapping(definition, choices);
    }

    private static List<Destination> scoped(Definition definition, String cluster) {
        List<Destination> own = definition.destinations().stream()
                .filter(d -> !d.cluster().isEmpty() && d.cluster().equals(cluster))
                .toList();
        return own.isEmpty()
                ? definition.destinations().stream()
                        .filter(d -> d.cluster().isEmpty())
                        .toList()
                : own;
    }

    /** Null stands for the subject as it is: a source that names itself may hold {@code *}. */
    private static SubjectTransform transform(String source, String destination) throws InvalidTransformException {
        return destination.equals(source) ? null : SubjectTransform.of(source, destination);
    }

    private static InvalidTransformException weights(String rule, String source) {
        return new InvalidTransformException("invalid mapping destination: " + rule + " in " + source);
    }

    public boolean isEmpty() {
        return mappings.isEmpty();
    }

    public List<Definition> definitions() {
        return mappings.stream().map(Mapping::definition).toList();
    }

    /**
     * The subject a message goes on with: the same when nothing matches, null when it is to be dropped.
     *
     * @param random gives a number from 0 to its argument, exclusive
     */
    public String map(String subject, IntUnaryOperator random) {
        for (int i = 0; i < mappings.size(); i++) {
            Mapping mapping = mappings.get(i);
            if (Subjects.matches(mapping.definition.source(), subject)) {
                return choose(mapping.choices, subject, random);
            }
        }
        return subject;
    }

    private static String choose(List<Choice> choices, String subject, IntUnaryOperator random) {
        boolean sure = choices.size() == 1 && choices.getFirst().upTo() == 100;
        int draw = sure ? 0 : random.applyAsInt(100);
        for (int i = 0; i < choices.size(); i++) {
            Choice choice = choices.get(i);
            if (draw < choice.upTo()) {
                return choice.transform() == null ? subject : choice.transform().apply(subject, random);
            }
        }
        return null;
    }
}
