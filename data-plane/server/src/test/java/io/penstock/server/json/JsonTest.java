package io.penstock.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static ObjectNode sample() {
        ObjectNode node = Nodes.object();
        node.put("text", "a\"b\n<é>");
        node.put("whole", 5).put("fraction", 0.5).put("round", 2.0).put("yes", true);
        node.putObject("empty");
        node.putArray("none");
        node.set("list", Nodes.texts(List.of("x", "y")));
        return node;
    }

    @Test
    void writesOnOneLine() {
        assertThat(Json.compact(sample()))
                .isEqualTo(
                        "{\"text\":\"a\\\"b\\n\\u003cé\\u003e\",\"whole\":5,\"fraction\":0.5,\"round\":2,\"yes\":true,"
                                + "\"empty\":{},\"none\":[],\"list\":[\"x\",\"y\"]}");
    }

    @Test
    void writesOverSeveralLines() {
        assertThat(Json.pretty(Nodes.object().put("a", 1).set("b", Nodes.texts(List.of("x")))))
                .isEqualTo("{\n  \"a\": 1,\n  \"b\": [\n    \"x\"\n  ]\n}");
    }

    @Test
    void leavesOutWhatIsNotThere() {
        ObjectNode node = Nodes.object();
        Nodes.textIfAny(node, "text", "");
        Nodes.numberIfAny(node, "number", 0);
        Nodes.flagIfSet(node, "flag", false);
        Nodes.textsIfAny(node, "texts", List.of());

        assertThat(Json.compact(node)).isEqualTo("{}");
    }
}
