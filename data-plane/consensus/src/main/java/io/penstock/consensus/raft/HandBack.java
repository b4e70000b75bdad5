package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the engine's attempt to hand leadership on. By itself it takes entries again only when an election time-out has
 * passed, and it has no other way to be told than the one its timer uses.
 */
final class HandBack {
    private static final Logger LOG = LoggerFactory.getLogger(HandBack.class);
    private static final MethodHandle TIMER = find();

    private HandBack() {}

    private static MethodHandle find() {
        try {
            return MethodHandles.privateLookupIn(NodeImpl.class, MethodHandles.lookup())
                    .findVirtual(
                            NodeImpl.class,
                            "handleTransferTimeout",
                            MethodType.methodType(void.class, long.class, PeerId.class));
        } catch (ReflectiveOperationException e) {
            LOG.warn("this version of the engine waits for its own timer when nobody takes over: {}", e.toString());
            return null;
        }
    }

    /** The engine leads on, if it still hands on in this term. Waits for the engine's lock. */
    static void now(NodeImpl engine, long term, PeerId target) {
        if (TIMER == null) {
            return;
        }
        try {
            TIMER.invokeExact(engine, term, target);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
