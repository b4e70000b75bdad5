package io.penstock.jetstream.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Chooses nodes for replicas. A pure function of what is given. */
final class Placement {
    /** Nobody may be given replicas who carries this tag. */
    private static final String NO_JETSTREAM = "!jetstream";

    /** Free storage counts in steps of this share of a node's storage: small differences do not gather all on one. */
    private static final int STEPS = 64;

    /**
     * A node that might take a replica.
     *
     * @param zone value of the unique tag; empty when it has none
     * @param free bytes it could still reserve
     * @param capacity bytes it has in all
     * @param haAssets replicated streams and consumers it carries
     * @param streams streams it carries
     */
    record Candidate(
            String name,
            String cluster,
            List<String> tags,
            boolean online,
            boolean draining,
            String zone,
            long free,
            long capacity,
            int haAssets,
            int streams) {}

    /**
     * What is wanted.
     *
     * @param uniqueTag prefix of the tag whose values must differ; empty when there is none
     * @param maxHaAssets most replicated streams and consumers of a node; 0 for no limit
     * @param preferred nodes to take before all others, where they will do
     */
    record Wanted(
            int replicas,
            String cluster,
            List<String> tags,
            long maxBytes,
            String uniqueTag,
            int maxHaAssets,
            List<String> preferred) {}

    /** The nodes chosen, or why there are not enough. */
    record Choice(List<String> nodes, String problem) {
        boolean found() {
            return problem == null;
        }
    }

    /** Why nodes were passed over. */
    private static final class Reasons {
        private boolean offline;
        private boolean excluded;
        private boolean storage;
        private boolean unique;
        private boolean misc;
        private boolean noCluster;
        private final Set<String> unmatched = new LinkedHashSet<>();
        private final Set<String> forbidden = new LinkedHashSet<>();

        String text() {
            StringBuilder text = new StringBuilder("no suitable peers for placement");
            flag(text, offline, "peer offline");
            flag(text, excluded, "exclude tag set");
            flag(text, storage, "insufficient storage");
            flag(text, unique, "server tag not unique");
            flag(text, misc, "miscellaneous issue");
            flag(text, noCluster, "jetstream not enabled in cluster");
            tags(text, unmatched, "tags not matched");
            tags(text, forbidden, "tags excluded");
            return text.toString();
        }

        private static void flag(StringBuilder text, boolean set, String reason) {
            if (set) {
                text.append(", ").append(reason);
            }
        }

        private static void tags(StringBuilder text, Set<String> tags, String reason) {
            if (!tags.isEmpty()) {
                text.append(", ").append(reason);
                text.append(tags.stream().map(t -> "'" + t + "'").collect(Collectors.joining(", ", " [", "]")));
            }
        }
    }

    private Placement() {}

    /** The value of the tag that must differ, or empty. */
    static String zone(List<String> tags, String uniqueTag) {
        if (uniqueTag.isEmpty()) {
            return "";
        }
        String prefix = uniqueTag.toLowerCase(Locale.ROOT);
        return tags.stream()
                .map(t -> t.toLowerCase(Locale.ROOT))
                .filter(t -> t.startsWith(prefix))
                .findFirst()
                .orElse("");
    }

    /** The nodes that would do, apart from their zones. */
    static Set<String> eligible(List<Candidate> all, Wanted wanted) {
        return fit(all, wanted, new Reasons()).stream().map(Candidate::name).collect(Collectors.toSet());
    }

    static Choice choose(List<Candidate> all, Wanted wanted) {
        Reasons reasons = new Reasons();
        List<Candidate> fit = new ArrayList<>(fit(all, wanted, reasons));
        fit.sort(order(wanted));
        List<String> chosen = new ArrayList<>();
        Set<String> zones = new HashSet<>();
        for (Candidate node : fit) {
            if (chosen.size() == wanted.replicas()) {
                break;
            }
            // One replica needs no zone of its own.
            boolean zoned = !wanted.uniqueTag().isEmpty() && wanted.replicas() > 1;
            if (zoned && (node.zone().isEmpty() || !zones.add(node.zone()))) {
                reasons.unique = true;
                continue;
            }
            chosen.add(node.name());
        }
        return chosen.size() == wanted.replicas() ? new Choice(chosen, null) : new Choice(List.of(), reasons.text());
    }

    private static List<Candidate> fit(List<Candidate> all, Wanted wanted, Reasons reasons) {
        boolean inCluster = all.stream().anyMatch(n -> sameCluster(n, wanted));
        reasons.noCluster = !inCluster;
        return all.stream()
                .filter(n -> sameCluster(n, wanted) && fits(n, wanted, reasons))
                .toList();
    }

    private static boolean sameCluster(Candidate node, Wanted wanted) {
        return wanted.cluster().isEmpty() || wanted.cluster().equals(node.cluster());
    }

    private static boolean fits(Candidate node, Wanted wanted, Reasons reasons) {
        if (!node.online()) {
            reasons.offline = true;
            return false;
        }
        if (has(node, NO_JETSTREAM)) {
            reasons.excluded = true;
            return false;
        }
        if (node.draining()) {
            reasons.misc = true;
            return false;
        }
        if (!tagsFit(node, wanted, reasons)) {
            return false;
        }
        if (wanted.maxBytes() > 0 && wanted.maxBytes() > node.free()) {
            reasons.storage = true;
            return false;
        }
        if (wanted.replicas() > 1 && wanted.maxHaAssets() > 0 && node.haAssets() >= wanted.maxHaAssets()) {
            reasons.misc = true;
            return false;
        }
        return true;
    }

    private static boolean tagsFit(Candidate node, Wanted wanted, Reasons reasons) {
        boolean fits = true;
        for (String tag : wanted.tags()) {
            boolean not = tag.startsWith("!");
            if (not && has(node, tag.substring(1))) {
                reasons.forbidden.add(tag.substring(1));
                fits = false;
            } else if (!not && !has(node, tag)) {
                reasons.unmatched.add(tag);
                fits = false;
            }
        }
        return fits;
    }

    private static boolean has(Candidate node, String tag) {
        return node.tags().stream().anyMatch(t -> t.equalsIgnoreCase(tag));
    }

    private static Comparator<Candidate> order(Wanted wanted) {
        Comparator<Candidate> preferred =
                Comparator.comparing(n -> !wanted.preferred().contains(n.name()));
        Comparator<Candidate> free = Comparator.comparing(Placement::steps, Comparator.reverseOrder());
        Comparator<Candidate> rest = wanted.replicas() > 1
                ? Comparator.comparingInt(Candidate::haAssets).thenComparing(free)
                : free;
        return preferred
                .thenComparing(rest)
                .thenComparingInt(Candidate::streams)
                .thenComparing(Candidate::name);
    }

    private static long steps(Candidate node) {
        long step = Math.max(1, node.capacity() / STEPS);
        return node.free() / step;
    }
}
