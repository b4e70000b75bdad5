package io.penstock.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTemplateTest {
    private static final ScopeTemplate.Values VALUES = new ScopeTemplate.Values(
            "w1", "UABC", List.of("team:red", "team:blue", "region:eu"), "acme", "AXYZ", List.of("plan:free"));

    @ParameterizedTest
    @CsvSource({
        "jobs.{{name()}}.>, jobs.w1.>",
        "jobs.{{ NAME() }}.>, jobs.w1.>",
        "u.{{subject()}}, u.UABC",
        "{{account-name()}}.{{account-subject()}}, acme.AXYZ",
        "pre-{{name()}}-post, pre-w1-post",
        "{{account-tag(plan)}}.x, free.x",
        "plain.>, plain.>",
    })
    void fillsInAllowEntries(String entry, String expected) throws Exception {
        assertThat(expand(List.of(entry), List.of()).publishAllow()).containsExactly(expected);
    }

    @Test
    void tagsWithSeveralValuesGiveTheirProduct() throws Exception {
        assertThat(expand(List.of("{{tag(team)}}.{{tag(region)}}.{{tag(team)}}"), List.of())
                        .publishAllow())
                .containsExactly("red.eu.red", "red.eu.blue", "blue.eu.red", "blue.eu.blue");
    }

    @Test
    void keepsTheQueueOfAnEntry() throws Exception {
        PermissionsConfig expanded = ScopeTemplate.expand(
                new PermissionsConfig(List.of(), List.of(), List.of("jobs.{{name()}} workers"), List.of(), null),
                VALUES);

        assertThat(expanded.subscribeAllow()).containsExactly("jobs.w1 workers");
    }

    @Test
    void missingTagDropsTheAllowEntry() throws Exception {
        PermissionsConfig expanded = expand(List.of("{{tag(none)}}.x", "ok"), List.of());

        assertThat(expanded.publishAllow()).containsExactly("ok");
        assertThat(expanded.publishDeny()).isEmpty();
    }

    @Test
    void allowListThatBecomesEmptyDeniesEverything() throws Exception {
        PermissionsConfig expanded = expand(List.of("{{tag(none)}}.x"), List.of());

        assertThat(expanded.publishAllow()).isEmpty();
        assertThat(expanded.publishDeny()).containsExactly(">");
    }

    @Test
    void missingTagInADenyListRefusesTheUser() {
        assertThatThrownBy(() -> expand(List.of(), List.of("{{tag(none)}}.x")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("tag");
    }

    @Test
    void invalidSubjectsAreDroppedFromAllowAndFatalInDeny() throws Exception {
        ScopeTemplate.Values spaced = new ScopeTemplate.Values("a..b", "UABC", List.of(), "acme", "AXYZ", List.of());
        PermissionsConfig allow =
                new PermissionsConfig(List.of("x.{{name()}}", "ok"), List.of(), List.of(), List.of(), null);
        PermissionsConfig deny = new PermissionsConfig(List.of(), List.of("x.{{name()}}"), List.of(), List.of(), null);

        assertThat(ScopeTemplate.expand(allow, spaced).publishAllow()).containsExactly("ok");
        assertThatThrownBy(() -> ScopeTemplate.expand(deny, spaced)).isInstanceOf(RefusedException.class);
    }

    @Test
    void unknownFunctionsRefuseTheUser() {
        assertThatThrownBy(() -> expand(List.of("x.{{shell()}}"), List.of()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("shell()");
    }

    @Test
    void valuesAreNotReadAsTemplatesAgain() throws Exception {
        ScopeTemplate.Values sly =
                new ScopeTemplate.Values("{{tag(team)}}", "UABC", List.of("team:red"), "acme", "AXYZ", List.of());
        PermissionsConfig allow =
                new PermissionsConfig(List.of("x.{{name()}}.{{tag(team)}}"), List.of(), List.of(), List.of(), null);

        assertThat(ScopeTemplate.expand(allow, sly).publishAllow()).containsExactly("x.{{tag(team)}}.red");
    }

    @Test
    void boundsTheProduct() throws Exception {
        List<String> tags = IntStream.range(0, 64).mapToObj(i -> "t:" + i).toList();
        ScopeTemplate.Values many = new ScopeTemplate.Values("n", "U", tags, "a", "A", List.of());
        PermissionsConfig fits =
                new PermissionsConfig(List.of("{{tag(t)}}.{{tag(t)}}"), List.of(), List.of(), List.of(), null);
        PermissionsConfig tooMany =
                new PermissionsConfig(List.of("x", "{{tag(t)}}.{{tag(t)}}"), List.of(), List.of(), List.of(), null);

        assertThat(ScopeTemplate.expand(fits, many).publishAllow()).hasSize(4096);
        assertThatThrownBy(() -> ScopeTemplate.expand(tooMany, many))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("4096");
    }

    private static PermissionsConfig expand(List<String> allow, List<String> deny) throws RefusedException {
        return ScopeTemplate.expand(new PermissionsConfig(allow, deny, List.of(), List.of(), null), VALUES);
    }
}
