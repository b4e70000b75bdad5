package io.penstock.broker.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.InvalidTransformException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectPathTest {
    @ParameterizedTest
    @CsvSource({
        "orders.>, orders.>, orders.a.b, orders.a.b",
        "from.b.orders.*, orders.*, from.b.orders.7, orders.7",
        "x.$2.$1, y.*.*, x.b.a, y.a.b",
        "x.*.*, y.$2.$1, x.b.a, y.a.b",
        "imp.>, exp.>, imp.a.b, exp.a.b",
        "plain, other.name, plain, other.name",
    })
    void leadsBothWays(String local, String remote, String here, String there) throws Exception {
        SubjectPath path = SubjectPath.between(local, remote);

        assertThat(path.toRemote(here)).isEqualTo(there);
        assertThat(path.toLocal(there)).isEqualTo(here);
    }

    @ParameterizedTest
    @CsvSource({
        "imp.>, exp.>, imp.a.*, exp.a.*",
        "imp.>, exp.>, imp.>, exp.>",
        "imp.>, exp.>, >, exp.>",
        "imp.>, exp.>, *.a, exp.a",
        "imp.*.x, exp.*.x, imp.>, exp.*.x",
        "imp.*.x, exp.*.x, imp.a.*, exp.a.x",
        "x.$2.$1, y.*.*, x.b.*, y.*.b",
    })
    void turnsSubscriptionsIntoThoseOfTheExporter(String local, String remote, String pattern, String expected)
            throws Exception {
        assertThat(SubjectPath.between(local, remote).remotePattern(pattern)).isEqualTo(expected);
    }

    @Test
    void subscriptionsOutsideTheImportMeetNothing() throws Exception {
        SubjectPath path = SubjectPath.between("imp.*.x", "exp.*.x");

        assertThat(path.remotePattern("other.>")).isNull();
        assertThat(path.remotePattern("imp.a")).isNull();
        assertThat(path.remotePattern("imp.a.y")).isNull();
        assertThat(path.remotePattern("exp.a.x")).isNull();
    }

    @Test
    void everyWildcardMustBeOnBothSides() {
        assertThatThrownBy(() -> SubjectPath.between("x.$1", "y.*.*")).isInstanceOf(InvalidTransformException.class);
        assertThatThrownBy(() -> SubjectPath.between("x.>", "y.*")).isInstanceOf(InvalidTransformException.class);
    }

    @Test
    void equalPathsAreEqual() throws Exception {
        assertThat(SubjectPath.between("x.$2.$1", "y.*.*")).isEqualTo(SubjectPath.between("x.$2.$1", "y.*.*"));
        assertThat(SubjectPath.between("x.$2.$1", "y.*.*")).isNotEqualTo(SubjectPath.between("x.*.*", "y.*.*"));
    }
}
