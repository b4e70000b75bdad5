package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.jetstream.api.JsApi;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.StreamRuntime;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Every node hears a request; one that hears it late, once it took over, must not do again what is done. */
class LateRequestTest {
    private final TestingNodes nodes = new TestingNodes(3);

    @Test
    void whoLeadsOnlySinceARequestWasHeardLeavesItAlone() {
        nodes.create("S", "\"subjects\":[\"s.>\"]");
        nodes.publish("s.1", "x", "id");
        StreamRuntime stream = nodes.stream("S");
        purge(stream, stream.since() - 1);
        assertThat(messages()).isEqualTo(1);
        purge(stream, stream.since());
        assertThat(messages()).isZero();
    }

    private void purge(StreamRuntime stream, long heard) {
        JetStreamOptions options =
                JetStreamOptions.builder(Path.of("unused"), "any").build();
        new JsApi(options)
                .handle(new ApiCall(
                        stream.account(), "$JS.API.STREAM.PURGE.S", null, new byte[0], new byte[0], null, heard));
        nodes.cluster.run(SECOND);
    }

    private int messages() {
        return nodes.api("STREAM.INFO.S", "").at("/state/messages").asInt(-1);
    }
}
