package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectTransformTest {
    @ParameterizedTest
    @CsvSource({
        "foo.*.*, bar.$2.$1, foo.a.b, bar.b.a",
        "foo.*, bar.{{Wildcard(1)}}.x, foo.a, bar.a.x",
        "foo.>, bar.>, foo.x.y, bar.x.y",
        "foo, bar, foo, bar",
        "*, '{{splitFromLeft(1,2)}}', abcde, ab.cde",
        "*, '{{splitFromRight(1,2)}}', abcde, abc.de",
        "*, '{{sliceFromLeft(1,2)}}', abcde, ab.cd.e",
        "*, '{{sliceFromRight(1,2)}}', abcde, a.bc.de",
        "*, '{{left(1,2)}}', abcde, ab",
        "*, '{{right(1,2)}}', abcde, de",
        "*, '{{split(1,-)}}', -a--b-, a.b",
        "*, '{{splitFromLeft(1,9)}}', abc, abc",
        "*.*, '{{partition(0,1)}}.$2', a.b, 0.b",
        "foo, '{{random(7)}}', foo, 6",
    })
    void transforms(String source, String destination, String subject, String expected) throws Exception {
        SubjectTransform transform = SubjectTransform.of(source, destination);

        assertThat(transform.apply(subject, bound -> bound - 1)).isEqualTo(expected);
    }

    @Test
    void partitionsAreStableAndInRange() throws Exception {
        SubjectTransform one = SubjectTransform.of("orders.*.*", "p.{{partition(5,1,2)}}");

        assertThat(one.apply("orders.a.bc", null)).isEqualTo(one.apply("orders.ab.c", null));
        for (int i = 0; i < 200; i++) {
            assertThat(one.apply("orders." + i + ".x", null)).matches("p\\.[0-4]");
        }
    }

    @Test
    void leavesSubjectsThatDoNotMatch() throws Exception {
        assertThat(SubjectTransform.of("foo.*", "bar.$1").apply("other.a", null))
                .isNull();
    }

    @Test
    void reversesWildcards() throws Exception {
        SubjectTransform transform = SubjectTransform.reversible("a.*.b.*.>", "x.$2.$1.>");
        String there = transform.apply("a.1.b.2.3.4", null);

        assertThat(there).isEqualTo("x.2.1.3.4");
        assertThat(transform.reverse().apply(there, null)).isEqualTo("a.1.b.2.3.4");
    }

    @ParameterizedTest
    @CsvSource({
        "foo.*, bar.$2, wildcard index out of range",
        "foo, bar.$1, wildcard index out of range",
        "foo.*, bar.*, invalid transform",
        "foo.>, bar, must both end in >",
        "foo.*, bar.{{zork(1)}}, unknown function",
        "foo.*, bar.{{wildcard()}}, not enough arguments",
        "foo.*, 'bar.{{wildcard(1,2)}}', too many arguments",
        "foo.*, 'bar.{{split(1,a b)}}', function argument is invalid",
    })
    void refusesWithTheRule(String source, String destination, String rule) {
        assertThatThrownBy(() -> SubjectTransform.of(source, destination))
                .isInstanceOf(InvalidTransformException.class)
                .hasMessageStartingWith("invalid mapping destination")
                .hasMessageContaining(rule);
    }

    @Test
    void importsMustUseEveryWildcard() {
        assertThatThrownBy(() -> SubjectTransform.reversible("a.*.*", "b.$1"))
                .hasMessageContaining("not using all of the token wildcard(s)");
        assertThatThrownBy(() -> SubjectTransform.reversible("a.*", "b.{{partition(3,1)}}"))
                .hasMessageContaining("the only mapping function allowed for import transforms");
    }
}
