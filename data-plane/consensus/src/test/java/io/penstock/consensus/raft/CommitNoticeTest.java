package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.consensus.TestingGroupLoop;
import org.junit.jupiter.api.Test;

class CommitNoticeTest {
    private static final long MILLI = 1_000_000;

    private final TestingGroupLoop loop = new TestingGroupLoop();
    private boolean idle = true;
    private int told;
    private final CommitNotice notice = new CommitNotice(loop, () -> idle, () -> told++);

    @Test
    void tellsAtOnceAfterAQuietTime() {
        notice.committed();

        assertThat(told).isEqualTo(1);
    }

    @Test
    void waitsForTheNextAppendWhileTheGroupIsAtWork() {
        notice.committed();
        for (int i = 0; i < 10; i++) {
            idle = false;
            loop.advance(MILLI / 2);
            idle = true;
            notice.committed();
            idle = false;
        }
        loop.advance(10 * MILLI);

        assertThat(told).isEqualTo(1);
    }

    @Test
    void tellsOfTheLastCommitWhenNoAppendFollows() {
        notice.committed();
        loop.advance(MILLI / 10);
        notice.committed();
        loop.advance(MILLI / 10);
        notice.committed();

        assertThat(told).isEqualTo(1);
        assertThat(notice.wanted()).isFalse();
        loop.advance(2 * MILLI);
        assertThat(told).isEqualTo(2);
        assertThat(notice.wanted()).isTrue();
    }

    @Test
    void keepsSilentOnceItLeadsNoMore() {
        notice.committed();
        loop.advance(MILLI / 10);
        notice.committed();
        idle = false;
        loop.advance(2 * MILLI);

        assertThat(told).isEqualTo(1);
        assertThat(notice.wanted()).isFalse();
    }
}
