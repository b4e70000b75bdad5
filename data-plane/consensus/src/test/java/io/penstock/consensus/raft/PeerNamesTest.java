package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.PeerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerNamesTest {
    @Test
    void anyNameComesBackAsItWas() {
        for (String name : List.of("a1", "node-1.zone.b", "with_underscore", "x:y [z]", "Zürich", "_meta_")) {
            PeerId peer = PeerId.parsePeer(PeerNames.peer(name).toString());
            assertThat(PeerNames.node(peer)).isEqualTo(name);
        }
    }
}
