package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.util.ThreadPoolsFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where the engine runs what it does not want on the thread it is on; one for all groups of the process.
 *
 * <p>The thread that takes proposals into the log has the engine wake its senders, one task for each follower. These
 * run at once on that thread: the hand-over cost more than the sending. It holds the group's lock meanwhile, which the
 * engine also holds when it starts a sender, so no sender waits for that lock with its own held.
 */
final class EnginePool extends ThreadPoolExecutor {
    private static final String PROPOSALS = "JRaft-NodeImpl-Disruptor-";
    private static final int MAX_THREADS = 100;
    private static final EnginePool INSTANCE = new EnginePool();
    private static final Set<String> USERS = ConcurrentHashMap.newKeySet();

    /** Set while a task runs at once: what it asks for in turn must not run inside of it. */
    private final ThreadLocal<Boolean> inside = new ThreadLocal<>();

    private EnginePool() {
        super(
                1,
                MAX_THREADS,
                60,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("raft-pool-", 0).daemon().factory());
    }

    /** Has the engine use it for a group; as often as wanted. */
    static void use(String engineName) {
        if (USERS.add(engineName)) {
            ThreadPoolsFactory.registerThreadPool(engineName, INSTANCE);
        }
    }

    @Override
    public void execute(Runnable task) {
        if (inside.get() != null || !Thread.currentThread().getName().startsWith(PROPOSALS)) {
            super.execute(task);
            return;
        }
        inside.set(Boolean.TRUE);
        try {
            task.run();
        } finally {
            inside.remove();
        }
    }
}
