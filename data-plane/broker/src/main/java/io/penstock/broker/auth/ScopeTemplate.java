package io.penstock.broker.auth;

import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills in the permissions of a scoped signing key for one user.
 *
 * <p>A list entry may hold {@code {{name()}}}, {@code {{subject()}}}, {@code {{account-name()}}}, {@code
 * {{account-subject()}}}, {@code {{tag(key)}}} and {@code {{account-tag(key)}}} anywhere; a tag with several values gives
 * one entry for each, several tags their product. Entries that come out invalid are dropped from allow lists and refuse
 * the user in deny lists, so that a missing tag can only ever narrow what a user may do.
 */
final class ScopeTemplate {
    /** Most entries one list may grow to. */
    static final int MAX_EXPANSIONS = 4096;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]*)}}");

    /**
     * What the placeholders stand for.
     *
     * @param user public key of the user
     * @param tags the user's tags, {@code key:value} in lower case
     * @param account public key of the account
     */
    record Values(
            String name,
            String user,
            List<String> tags,
            String accountName,
            String account,
            List<String> accountTags) {}

    private final Values values;

    private ScopeTemplate(Values values) {
        this.values = values;
    }

    /**
     * The template's permissions for one user.
     *
     * @throws RefusedException when a deny entry cannot be filled in, a placeholder is unknown, or a list grows too long
     */
    static PermissionsConfig expand(PermissionsConfig template, Values values) throws RefusedException {
        ScopeTemplate filler = new ScopeTemplate(values);
        List<String> publishAllow = filler.fill(template.publishAllow(), false);
        List<String> publishDeny = filler.fill(template.publishDeny(), true);
        List<String> subscribeAllow = filler.fill(template.subscribeAllow(), false);
        List<String> subscribeDeny = filler.fill(template.subscribeDeny(), true);
        return new PermissionsConfig(
                publishAllow,
                closeIfEmptied(template.publishAllow(), publishAllow, publishDeny),
                subscribeAllow,
                closeIfEmptied(template.subscribeAllow(), subscribeAllow, subscribeDeny),
                template.responses());
    }

    // An empty allow list means "everything": one that was emptied here must mean "nothing".
    private static List<String> closeIfEmptied(List<String> before, List<String> after, List<String> deny) {
        if (before.isEmpty() || !after.isEmpty()) {
            return deny;
        }
        List<String> closed = new ArrayList<>(deny);
        closed.add(">");
        return closed;
    }

    private List<String> fill(List<String> entries, boolean deny) throws RefusedException {
        if (entries.stream().noneMatch(entry -> PLACEHOLDER.matcher(entry).find())) {
            return entries;
        }
        List<String> filled = new ArrayList<>();
        for (String entry : entries) {
            for (String candidate : expandEntry(entry, deny, MAX_EXPANSIONS - filled.size())) {
                if (isValidEntry(candidate)) {
                    filled.add(candidate);
                } else if (deny) {
                    throw new RefusedException("deny entry \"" + entry + "\" gives the invalid subject \"" + candidate
                            + "\" for user " + values.user());
                }
            }
        }
        return filled;
    }

    private List<String> expandEntry(String entry, boolean deny, int room) throws RefusedException {
        List<StringBuilder> products = List.of(new StringBuilder());
        Matcher matcher = PLACEHOLDER.matcher(entry);
        int copied = 0;
        while (matcher.find()) {
            String literal = entry.substring(copied, matcher.start());
            List<String> replacements = resolve(entry, matcher.group(1).trim());
            if (replacements.isEmpty()) {
                if (deny) {
                    throw new RefusedException(
                            "deny entry \"" + entry + "\" names a tag that user " + values.user() + " does not have");
                }
                return List.of();
            }
            if ((long) products.size() * replacements.size() > room) {
                throw new RefusedException("entry \"" + entry + "\" gives more than " + MAX_EXPANSIONS + " subjects");
            }
            List<StringBuilder> next = new ArrayList<>(products.size() * replacements.size());
            for (StringBuilder product : products) {
                for (String replacement : replacements) {
                    next.add(new StringBuilder(product).append(literal).append(replacement));
                }
            }
            products = next;
            copied = matcher.end();
        }
        if (products.size() > room) {
            throw new RefusedException("more than " + MAX_EXPANSIONS + " subjects in one list");
        }
        String tail = entry.substring(copied);
        return products.stream().map(product -> product.append(tail).toString()).toList();
    }

    private List<String> resolve(String entry, String call) throws RefusedException {
        String lower = call.toLowerCase(Locale.ROOT);
        if (lower.startsWith("tag(") && lower.endsWith(")")) {
            return tagValues(values.tags(), lower.substring("tag(".length(), lower.length() - 1));
        }
        if (lower.startsWith("account-tag(") && lower.endsWith(")")) {
            return tagValues(values.accountTags(), lower.substring("account-tag(".length(), lower.length() - 1));
        }
        return switch (lower) {
            case "name()" -> List.of(values.name());
            case "subject()" -> List.of(values.user());
            case "account-name()" -> List.of(values.accountName());
            case "account-subject()" -> List.of(values.account());
            default ->
                throw new RefusedException(
                        "entry \"" + entry + "\" uses the unknown function \"" + call
                                + "\"; known are name(), subject(), account-name(), account-subject(), tag(key), account-tag(key)");
        };
    }

    private static List<String> tagValues(List<String> tags, String key) {
        String prefix = key.trim() + ":";
        return tags.stream()
                .filter(tag -> tag.startsWith(prefix))
                .map(tag -> Subjects.fromUtf8(tag.substring(prefix.length())))
                .toList();
    }

    private static boolean isValidEntry(String entry) {
        int space = entry.indexOf(' ');
        return space < 0
                ? Subjects.isValidPattern(entry)
                : Subjects.isValidPattern(entry.substring(0, space))
                        && Subjects.isValidPattern(entry.substring(space + 1));
    }
}
