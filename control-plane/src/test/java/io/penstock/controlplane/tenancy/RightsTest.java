package io.penstock.controlplane.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RightsTest {
    private static final String P1 = "proj_1";
    private static final String P2 = "proj_2";

    /** The table of docs/control-plane.md: o owner, a admin, d developer, v viewer, b billing. */
    private static final String TABLE = """
            organization:read o a d v b
            organization:write o
            members:read o a d v
            members:write o a
            service_accounts:read o a d v
            service_accounts:write o a
            audit:read o a
            projects:read o a d v b
            projects:write o a
            accounts:read o a d v b
            accounts:write o a
            sharing:read o a d v
            sharing:write o a
            signing_keys:read o a d v
            signing_keys:write o a
            credentials:read o a d v
            credentials:write o a d
            streams:read o a d v
            streams:write o a d
            consumers:read o a d v
            consumers:write o a d
            kv:read o a d v
            kv:write o a d
            objects:read o a d v
            objects:write o a d
            messages:read o a d
            messages:write o a d
            """;

    @Test
    void rolesHoldWhatTheTableSays() {
        List<String> lines = Arrays.stream(Permission.values())
                .map(permission -> permission.code()
                        + Arrays.stream(Role.values())
                                .filter(role -> role.allows(permission))
                                .map(role -> " " + role.code().charAt(0))
                                .reduce("", String::concat))
                .toList();
        assertThat(lines).containsExactlyElementsOf(TABLE.lines().toList());
    }

    @Test
    void roleInAProjectHoldsThereAndNowhereElse() {
        Rights rights = Rights.of(List.of(new Rights.Given(Role.DEVELOPER, P1)));
        assertThat(rights.allows(Permission.STREAMS_WRITE, P1)).isTrue();
        assertThat(rights.allows(Permission.STREAMS_WRITE, P2)).isFalse();
        assertThat(rights.allows(Permission.STREAMS_WRITE, null)).isFalse();
        assertThat(rights.allowsSomewhere(Permission.STREAMS_WRITE)).isTrue();
        assertThat(rights.projectsFor(Permission.STREAMS_WRITE)).contains(Set.of(P1));
        assertThat(rights.organizationRole()).isNull();
    }

    @Test
    void rolesAddUp() {
        Rights rights = Rights.of(List.of(new Rights.Given(Role.BILLING, null), new Rights.Given(Role.VIEWER, P2)));
        assertThat(rights.allows(Permission.ACCOUNTS_READ, P1)).isTrue();
        assertThat(rights.allows(Permission.STREAMS_READ, P1)).isFalse();
        assertThat(rights.allows(Permission.STREAMS_READ, P2)).isTrue();
        assertThat(rights.organizationRole()).isEqualTo(Role.BILLING);
    }

    @Test
    void scopesCutDown() {
        Rights owner = Rights.of(List.of(new Rights.Given(Role.OWNER, null)));
        assertThat(owner.limitedTo(token(List.of("*"), Set.of())).in(null)).hasSize(Permission.values().length);
        Rights reads = owner.limitedTo(token(List.of("*:read"), Set.of()));
        assertThat(reads.allows(Permission.STREAMS_READ, P1)).isTrue();
        assertThat(reads.allows(Permission.MESSAGES_READ, P1))
                .as("payloads are asked for by name")
                .isFalse();
        assertThat(reads.allows(Permission.STREAMS_WRITE, P1)).isFalse();
        Rights one = owner.limitedTo(token(List.of("streams:write"), Set.of(P1)));
        assertThat(one.allows(Permission.STREAMS_WRITE, P1)).isTrue();
        assertThat(one.allows(Permission.STREAMS_WRITE, P2)).isFalse();
        assertThat(one.allows(Permission.STREAMS_WRITE, null)).isFalse();
    }

    @Test
    void tokenNeverAddsAndCoversIsAnOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            Rights before = random(random);
            TokenGrant token = token(
                    List.of(
                            any(List.of(Permission.values()), random).code(),
                            any(List.of("*", "*:read", "streams:write"), random)),
                    random.nextBoolean() ? Set.of() : Set.of(random.nextBoolean() ? P1 : P2));
            Rights after = before.limitedTo(token);
            assertThat(before.covers(after)).as("seed " + seed).isTrue();
            assertThat(before.covers(before)).as("seed " + seed).isTrue();
            for (Permission permission : Permission.values()) {
                for (String project : new String[] {P1, P2, null}) {
                    if (after.allows(permission, project)) {
                        assertThat(before.allows(permission, project))
                                .as("seed " + seed)
                                .isTrue();
                    }
                }
            }
        }
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static Rights random(Random random) {
        List<Rights.Given> given = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String project = new String[] {P1, P2, null}[random.nextInt(3)];
            given.add(new Rights.Given(any(List.of(Role.values()), random), project));
        }
        return Rights.of(given);
    }

    private static TokenGrant token(List<String> scopes, Set<String> projects) {
        return new TokenGrant("tok_1", "t", "org_1", scopes, projects, Instant.EPOCH);
    }
}
