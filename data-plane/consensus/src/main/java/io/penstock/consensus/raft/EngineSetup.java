package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.option.ApplyTaskMode;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings of the engine, for the process and for a group. */
final class EngineSetup {
    private static final Logger LOG = LoggerFactory.getLogger(EngineSetup.class);

    /** One thread each will do; the defaults grow with the processors. */
    private static final List<String> SINGLE_THREADS = List.of(
            "jraft.timer.global_election_timer_workers",
            "jraft.timer.global_vote_timer_workers",
            "jraft.timer.global_step_down_timer_workers",
            "jraft.timer.global_snapshot_timer_workers",
            "jraft.timer.global_scheduler_workers",
            "jraft.closure.threadpool.size.min",
            "jraft.internal.closure.threadpool.size.min",
            "jraft.rpc.closure.threadpool.size.min");

    private static boolean done;

    private EngineSetup() {}

    /** Before the first use of the engine. */
    static synchronized void once() {
        if (done) {
            return;
        }
        done = true;
        for (String property : SINGLE_THREADS) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, "1");
            }
        }
        loadWithoutItsSignalHandler();
    }

    /** The engine takes SIGUSR2 when it is loaded; that signal is the server's, so whoever had it gets it back. */
    private static void loadWithoutItsSignalHandler() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object usr2 = signal.getConstructor(String.class).newInstance("USR2");
            Object nothing = Proxy.newProxyInstance(
                    EngineSetup.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> null);
            Object before = signal.getMethod("handle", signal, handler).invoke(null, usr2, nothing);
            Class.forName(NodeImpl.class.getName());
            signal.getMethod("handle", signal, handler).invoke(null, usr2, before);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.debug("no signals here", e);
        }
    }

    static void configure(GroupOptions target, RaftOptions options) {
        target.setElectionTimeoutMs(options.electionMillis());
        target.setSnapshotIntervalSecs(0);
        target.setDisableCli(true);
        target.setSharedElectionTimer(true);
        target.setSharedVoteTimer(true);
        target.setSharedStepDownTimer(true);
        target.setSharedSnapshotTimer(true);
        target.setSharedTimerPool(true);
        target.setRpcProcessorThreadPoolSize(3);
        target.setRpcDefaultTimeout(Math.max(1_000, options.electionMillis() * 3 / 2));
        target.setRpcInstallSnapshotTimeout(30 * 60 * 1_000);
        target.setApplyTaskMode(ApplyTaskMode.NonBlocking);
        target.setLogUri("journal");
        target.setRaftMetaUri("journal");
        target.setSnapshotUri("mark");
        com.alipay.sofa.jraft.option.RaftOptions raft = target.getRaftOptions();
        raft.setDisruptorBufferSize(1024);
        raft.setMaxElectionDelayMs(options.spreadMillis());
        raft.setMaxLogsInMemoryBytes(64L << 20);
        raft.setEnableLogEntryChecksum(false);
        raft.setStepDownWhenVoteTimedout(true);
    }
}
