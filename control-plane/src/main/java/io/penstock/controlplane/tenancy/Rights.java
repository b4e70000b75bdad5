package io.penstock.controlplane.tenancy;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one principal may do in one organisation: the permissions that hold in the whole of it, and those that hold in single projects.
 * Computed from roles and the token of the call, nothing else. Immutable.
 */
public final class Rights {
    /** Nothing at all. */
    public static final Rights NONE = new Rights(List.of(), Set.of(), Map.of());

    private final List<Given> given;
    private final Set<Permission> everywhere;
    private final Map<String, Set<Permission>> inProject;

    /** A role that was given. `projectId` is null for the whole organisation. */
    public record Given(Role role, String projectId) {}

    private Rights(List<Given> given, Set<Permission> everywhere, Map<String, Set<Permission>> inProject) {
        this.given = List.copyOf(given);
        this.everywhere = everywhere;
        this.inProject = inProject;
    }

    public static Rights of(List<Given> given) {
        EnumSet<Permission> everywhere = EnumSet.noneOf(Permission.class);
        Map<String, Set<Permission>> inProject = new HashMap<>();
        for (Given one : given) {
            Set<Permission> target = one.projectId() == null
                    ? everywhere
                    : inProject.computeIfAbsent(one.projectId(), project -> EnumSet.noneOf(Permission.class));
            target.addAll(one.role().permissions());
        }
        return new Rights(given, everywhere, inProject);
    }

    /** Cut down to a token: never more than before. Null leaves everything. */
    public Rights limitedTo(TokenGrant token) {
        if (token == null) {
            return this;
        }
        Map<String, Set<Permission>> projects = new HashMap<>();
        if (token.projectIds().isEmpty()) {
            inProject.forEach((project, held) -> projects.put(project, cut(held, token)));
            return new Rights(given, cut(everywhere, token), projects);
        }
        for (String project : token.projectIds()) {
            projects.put(project, cut(in(project), token));
        }
        return new Rights(given, Set.of(), projects);
    }

    private static Set<Permission> cut(Set<Permission> held, TokenGrant token) {
        EnumSet<Permission> left = EnumSet.noneOf(Permission.class);
        held.stream().filter(token::includes).forEach(left::add);
        return left;
    }

    /** Whether it holds for something of this project, or, with null, of the organisation itself. */
    public boolean allows(Permission permission, String projectId) {
        return everywhere.contains(permission)
                || (projectId != null
                        && inProject.getOrDefault(projectId, Set.of()).contains(permission));
    }

    /** Whether it holds in the organisation or in any project of it. */
    public boolean allowsSomewhere(Permission permission) {
        return everywhere.contains(permission)
                || inProject.values().stream().anyMatch(held -> held.contains(permission));
    }

    /** The projects it is confined to; empty when it holds everywhere. */
    public Optional<Set<String>> projectsFor(Permission permission) {
        if (everywhere.contains(permission)) {
            return Optional.empty();
        }
        Set<String> projects = new TreeSet<>();
        inProject.forEach((project, held) -> {
            if (held.contains(permission)) {
                projects.add(project);
            }
        });
        return Optional.of(projects);
    }

    /** What holds in a project, or, with null, in the organisation itself. */
    public Set<Permission> in(String projectId) {
        EnumSet<Permission> held = EnumSet.noneOf(Permission.class);
        held.addAll(everywhere);
        if (projectId != null) {
            held.addAll(inProject.getOrDefault(projectId, Set.of()));
        }
        return Collections.unmodifiableSet(held);
    }

    /** Projects with rights beyond those of the organisation. */
    public Set<String> projects() {
        return new TreeSet<>(inProject.keySet());
    }

    /** Whether nothing of `other` goes beyond this: who has these rights may give those. */
    public boolean covers(Rights other) {
        return everywhere.containsAll(other.everywhere)
                && other.inProject.entrySet().stream()
                        .allMatch(entry -> in(entry.getKey()).containsAll(entry.getValue()));
    }

    /** The strongest role in the whole organisation, whatever a token takes from it; null without one. */
    public Role organizationRole() {
        return given.stream()
                .filter(one -> one.projectId() == null)
                .map(Given::role)
                .min(java.util.Comparator.naturalOrder())
                .orElse(null);
    }

    /** The roles behind it. */
    public List<Given> given() {
        return given;
    }
}
