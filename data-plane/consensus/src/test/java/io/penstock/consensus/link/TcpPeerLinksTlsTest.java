package io.penstock.consensus.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.consensus.TestingTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpPeerLinksTlsTest {
    @TempDir
    private Path directory;

    private static CountDownLatch whenUp(PeerLinks links, String peer) {
        CountDownLatch up = new CountDownLatch(1);
        links.addListener(new PeerLinks.Listener() {
            @Override
            public void up(String name) {
                if (name.equals(peer)) {
                    up.countDown();
                }
            }

            @Override
            public void down(String name) {}

            @Override
            public void refused(String name) {}
        });
        return up;
    }

    private static TcpPeerLinks open(String name, SSLContext tls) {
        LinkOptions local = LinkOptions.local(name, "C1", "secret");
        return TcpPeerLinks.open(tls == null ? local : local.withTls(() -> tls, true, true));
    }

    /** Both have called: while the two settle on one connection, what is on its way on the other is lost. */
    private static byte[] echo(PeerLinks links, byte[] payload) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return links.request("b", "echo", payload, Duration.ofSeconds(60))
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                boolean lost = e.getCause() instanceof LinkException link && link.reason() == LinkException.Reason.DOWN;
                if (!lost || attempt == 100) {
                    throw e;
                }
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    @Test
    void carriesRequestsUnderMutualTlsAndRefusesOthers() throws Exception {
        SSLContext ours = TestingTls.context(directory, "ours");
        SSLContext foreign = TestingTls.context(directory, "foreign");
        try (TcpPeerLinks a = open("a", ours);
                TcpPeerLinks b = open("b", ours);
                TcpPeerLinks stranger = open("x", foreign);
                TcpPeerLinks clear = open("y", null)) {
            byte[] large = new byte[1_000_000];
            b.serve("echo", request -> request.reply(request.payload()));
            CountDownLatch up = whenUp(a, "b");
            CountDownLatch intruder = whenUp(a, "x");
            a.peer("b", "127.0.0.1", b.port());
            b.peer("a", "127.0.0.1", a.port());
            stranger.peer("a", "127.0.0.1", a.port());
            clear.peer("a", "127.0.0.1", a.port());
            assertThat(up.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(echo(a, large)).hasSize(large.length);
            assertThat(intruder.await(1, TimeUnit.SECONDS)).isFalse();
            assertThat(stranger.up("a") || clear.up("a")).isFalse();
        }
    }
}
