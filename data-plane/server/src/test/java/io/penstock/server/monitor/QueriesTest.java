package io.penstock.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.json.Nodes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueriesTest {
    private static Query http(Map<String, String> parameters) {
        return new HttpQuery(parameters::get);
    }

    @Test
    void readsTheQueryString() throws Exception {
        Query query = http(Map.of("subs", "detail", "state", "any", "limit", "7", "auth", "1"));

        assertThat(query.subscriptions()).isEqualTo(Query.Subscriptions.DETAIL);
        assertThat(query.state()).isEqualTo(Query.State.ALL);
        assertThat(query.whole("limit", "limit", 0)).isEqualTo(7);
        assertThat(query.flag("auth", "auth")).isTrue();
        assertThat(query.flag("absent", "absent")).isFalse();
    }

    @Test
    void saysWhichParameterIsWrong() {
        assertThatThrownBy(() -> http(Map.of("state", "half")).state()).hasMessage("Error decoding state for half");
        assertThatThrownBy(() -> http(Map.of("limit", "a")).whole("limit", "limit", 0))
                .hasMessage("Error decoding int for 'limit': strconv.Atoi: parsing \"a\": invalid syntax");
        assertThatThrownBy(() -> ConnectionSort.of("size")).hasMessage("invalid sorting option: size");
    }

    @Test
    void readsTheBodyOfASystemRequest() throws Exception {
        var body =
                Nodes.object().put("subscriptions_detail", true).put("state", 1).put("limit", 3);
        Query query = new JsonQuery(body, null);

        assertThat(query.subscriptions()).isEqualTo(Query.Subscriptions.DETAIL);
        assertThat(query.state()).isEqualTo(Query.State.CLOSED);
        assertThat(Paging.of(query).limit()).isEqualTo(3);
    }

    @Test
    void confinesAnAccountToItself() {
        Query query = new JsonQuery(Nodes.object().put("account", "B").put("acc", "B"), "A");

        assertThat(query.text("acc", "account")).isEqualTo("A");
        assertThat(query.text("acc", "acc")).isEqualTo("A");
    }

    @Test
    void showsAPartOfAList() throws Exception {
        List<Integer> all = List.of(1, 2, 3, 4, 5);

        assertThat(Paging.of(http(Map.of("offset", "1", "limit", "2"))).slice(all))
                .containsExactly(2, 3);
        assertThat(Paging.of(http(Map.of("offset", "9"))).slice(all)).isEmpty();
        assertThat(Paging.of(http(Map.of())).slice(all)).hasSize(5);
    }

    @Test
    void writesSpansWithoutLeadingZeros() {
        assertThat(Spans.format(Duration.ZERO)).isEqualTo("0s");
        assertThat(Spans.format(Duration.ofSeconds(61))).isEqualTo("1m1s");
        assertThat(Spans.format(Duration.ofDays(367).plusHours(3))).isEqualTo("1y2d3h0m0s");
    }
}
