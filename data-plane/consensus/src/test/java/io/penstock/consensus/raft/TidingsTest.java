package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.RaftOutter.EntryMeta;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import org.junit.jupiter.api.Test;

class TidingsTest {
    private static final long MILLI = 1_000_000;

    private final Tidings tidings = new Tidings(0);

    private static AppendEntriesRequest append(int entries, long committed) {
        AppendEntriesRequest.Builder builder = AppendEntriesRequest.newBuilder()
                .setGroupId("g1")
                .setServerId("n1:1")
                .setPeerId("n2:1")
                .setTerm(3)
                .setPrevLogTerm(3)
                .setPrevLogIndex(committed)
                .setCommittedIndex(committed);
        for (int i = 0; i < entries; i++) {
            builder.addEntries(EntryMeta.newBuilder().setTerm(3).setType(EntryType.ENTRY_TYPE_DATA));
        }
        return builder.build();
    }

    private long told(int entries, long committed, long now) {
        AppendEntriesRequest passed = tidings.pass(append(entries, committed), now);
        assertThat(passed.getEntriesCount()).isEqualTo(entries);
        assertThat(passed.getPrevLogIndex()).isEqualTo(committed);
        return passed.getCommittedIndex();
    }

    @Test
    void tellsOfCommitsThatComeCloseToEachOtherTogether() {
        assertThat(told(1, 10, 0)).isEqualTo(10);
        assertThat(told(1, 11, MILLI / 4)).isEqualTo(10);
        assertThat(told(1, 12, MILLI / 2)).isEqualTo(10);
        assertThat(told(1, 13, MILLI)).isEqualTo(13);
        assertThat(told(1, 14, MILLI * 5 / 4)).isEqualTo(13);
    }

    @Test
    void passesSignsOfLifeAsTheyAre() {
        assertThat(told(1, 10, 0)).isEqualTo(10);
        assertThat(told(0, 11, MILLI / 4)).isEqualTo(11);
        assertThat(told(1, 12, MILLI / 2)).isEqualTo(11);
    }
}
