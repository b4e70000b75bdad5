package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.util.ThreadPoolsFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EnginePoolTest {
    private static void run(CompletableFuture<Thread> tells) {
        tells.complete(Thread.currentThread());
    }

    @Test
    void runsTasksOfTheProposalThreadThereAndWhatTheyAskForElsewhere() throws Exception {
        EnginePool.use("gEnginePoolTest");
        EnginePool.use("gEnginePoolTest");
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Thread> nested = new CompletableFuture<>();
        Thread proposals = Thread.ofPlatform()
                .name("JRaft-NodeImpl-Disruptor-7")
                .start(() -> {
                    var _ = ThreadPoolsFactory.runInThread("gEnginePoolTest", () -> {
                        run(first);
                        var _ = ThreadPoolsFactory.runInThread("gEnginePoolTest", () -> run(nested));
                    });
                });

        assertThat(first.get(60, TimeUnit.SECONDS)).isSameAs(proposals);
        assertThat(nested.get(60, TimeUnit.SECONDS)).isNotSameAs(proposals);
        proposals.join();
    }

    @Test
    void runsTasksOfOtherThreadsInThePool() throws Exception {
        EnginePool.use("gEnginePoolTest");
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        var _ = ThreadPoolsFactory.runInThread("gEnginePoolTest", () -> run(ran));

        assertThat(ran.get(60, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    }
}
