package io.penstock.consensus.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpPeerLinksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longer than a busy machine keeps a link from being heard. */
    private static final int NEVER_MILLIS = 300_000;

    private final List<TcpPeerLinks> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(TcpPeerLinks::close);
    }

    private TcpPeerLinks open(LinkOptions options) {
        TcpPeerLinks links = TcpPeerLinks.open(options);
        opened.add(links);
        return links;
    }

    private TcpPeerLinks open(String name) {
        return open(patient(name));
    }

    private static LinkOptions patient(String name) {
        return new LinkOptions(
                name, "C1", "127.0.0.1", 0, "secret", null, false, false, NEVER_MILLIS, NEVER_MILLIS, 64 << 20);
    }

    /** One calls the other: were both to call, what is on its way on the connection that is given up would be lost. */
    private static void call(PeerLinks one, PeerLinks other) {
        one.peer(other.self(), "127.0.0.1", other.port());
    }

    /** Each may call the other. */
    private static void introduce(PeerLinks one, PeerLinks other) {
        one.peer(other.self(), "127.0.0.1", other.port());
        other.peer(one.self(), "127.0.0.1", one.port());
    }

    private static final class Events implements PeerLinks.Listener {
        private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

        @Override
        public void up(String peer) {
            seen.add("up " + peer);
        }

        @Override
        public void silent(String peer) {
            seen.add("silent " + peer);
        }

        @Override
        public void down(String peer) {
            seen.add("down " + peer);
        }

        @Override
        public void refused(String peer) {
            seen.add("refused " + peer);
        }

        void expect(String event) throws InterruptedException {
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo(event);
        }
    }

    private static Events listen(PeerLinks links) {
        Events events = new Events();
        links.addListener(events);
        return events;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String ask(PeerLinks links, String peer, String channel, String question) throws Exception {
        byte[] answer = links.request(peer, channel, bytes(question), PATIENCE)
                .toCompletableFuture()
                .get(90, TimeUnit.SECONDS);
        return new String(answer, StandardCharsets.UTF_8);
    }

    @Test
    void answersRequestsOfBothSidesByChannel() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        a.serve(
                "upper",
                request -> request.reply(bytes(
                        new String(request.payload(), StandardCharsets.UTF_8).toUpperCase(java.util.Locale.ROOT))));
        b.serve("who", request -> request.reply(bytes(request.peer())));
        Events atA = listen(a);
        Events atB = listen(b);
        call(a, b);
        atA.expect("up b");
        atB.expect("up a");
        assertThat(ask(b, "a", "upper", "hello")).isEqualTo("HELLO");
        assertThat(ask(a, "b", "who", "")).isEqualTo("a");
        assertThatThrownBy(() -> ask(a, "b", "nothing", ""))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("nobody serves");
    }

    @Test
    void carriesLargePayloadsInOrder() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        BlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
        b.serve("sink", request -> sizes.add(request.payload().length));
        Events atA = listen(a);
        call(a, b);
        atA.expect("up b");
        int[] lengths = {0, 1, 5_000_000, 4096, 4097, 2_000_000};
        for (int length : lengths) {
            assertThat(a.send("b", "sink", new byte[length])).isTrue();
        }
        for (int length : lengths) {
            assertThat(sizes.poll(60, TimeUnit.SECONDS)).isEqualTo(length);
        }
    }

    @Test
    void keepsTheOrderOfEachSenderWhenTheSocketTakesNoMore() throws Exception {
        int senders = 3;
        int each = 300;
        TcpPeerLinks one = open("n1");
        TcpPeerLinks other = open("n2");
        Events up = listen(one);
        CountDownLatch full = new CountDownLatch(1);
        CountDownLatch received = new CountDownLatch(senders * each);
        int[] next = new int[senders];
        List<String> wrong = new ArrayList<>();
        other.serve("a", request -> {
            awaitUninterruptibly(full);
            byte[] payload = request.payload();
            int sender = payload[0];
            int number = (payload[1] & 0xff) << 8 | (payload[2] & 0xff);
            if (number != next[sender]++ || payload[payload.length - 1] != (byte) number) {
                wrong.add(sender + ": " + number);
            }
            received.countDown();
        });
        call(one, other);
        up.expect("up n2");

        List<Thread> threads = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            byte id = (byte) sender;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int number = 0; number < each; number++) {
                    byte[] payload = new byte[4 + number * 97 % 60_000];
                    payload[0] = id;
                    payload[1] = (byte) (number >> 8);
                    payload[2] = (byte) number;
                    payload[payload.length - 1] = (byte) number;
                    one.send("n2", "a", payload);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        full.countDown();

        assertThat(received.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong).isEmpty();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void tellsLossThenRefusalAndComesBack() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        Events atA = listen(a);
        Events atB = listen(b);
        introduce(a, b);
        atA.expect("up b");
        atB.expect("up a");
        int port = a.port();
        a.close();
        atB.expect("down a");
        atB.expect("refused a");
        TcpPeerLinks again = open(patient("a").withAddress("127.0.0.1", port));
        assertThat(again.port()).isEqualTo(port);
        atB.expect("up a");
    }

    @Test
    void failsWhatWaitsWhenTheLinkBreaks() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        b.serve("silence", request -> {});
        Events atA = listen(a);
        call(a, b);
        atA.expect("up b");
        CompletableFuture<byte[]> waiting =
                a.request("b", "silence", bytes("?"), PATIENCE).toCompletableFuture();
        CompletableFuture<byte[]> impatient =
                a.request("b", "silence", bytes("?"), Duration.ofMillis(50)).toCompletableFuture();
        assertReason(impatient, LinkException.Reason.TIMEOUT);
        b.close();
        assertReason(waiting, LinkException.Reason.DOWN);
        atA.expect("down b");
        assertReason(a.request("b", "silence", bytes("?"), PATIENCE).toCompletableFuture(), LinkException.Reason.DOWN);
    }

    private static void assertReason(CompletableFuture<byte[]> request, LinkException.Reason reason) {
        assertThatThrownBy(() -> request.get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void tellsOfASilentPeerOnceUntilItIsHeardAgain() throws Exception {
        // Less than the time between two signs of life: silence comes and goes without anybody being away.
        TcpPeerLinks a = open(
                new LinkOptions("a", "C1", "127.0.0.1", 0, "secret", null, false, false, 100, NEVER_MILLIS, 1 << 20));
        TcpPeerLinks b = open("b");
        Events atA = listen(a);
        introduce(a, b);
        atA.expect("up b");
        atA.expect("silent b");
        atA.expect("silent b");
        assertThat(a.up("b")).isTrue();
    }

    @Test
    void refusesAboveTheBacklog() throws Exception {
        TcpPeerLinks a = open(new LinkOptions(
                "a", "C1", "127.0.0.1", 0, "secret", null, false, false, NEVER_MILLIS, NEVER_MILLIS, 1 << 20));
        TcpPeerLinks b = open("b");
        CompletableFuture<Void> gate = new CompletableFuture<>();
        b.serve("slow", request -> gate.join());
        Events atA = listen(a);
        call(a, b);
        atA.expect("up b");
        boolean refused = false;
        // What the two sockets' buffers take comes on top of the backlog.
        for (int i = 0; i < 200 && !refused; i++) {
            refused = !a.send("b", "slow", new byte[500_000]);
        }
        gate.complete(null);
        assertThat(refused).isTrue();
    }

    @Test
    void refusesAnotherClusterAWrongSecretAndATakenName() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        Events atA = listen(a);
        call(a, b);
        atA.expect("up b");
        TcpPeerLinks foreign = open(LinkOptions.local("x", "C2", "secret"));
        TcpPeerLinks ignorant = open(LinkOptions.local("y", "C1", "guess"));
        TcpPeerLinks second = open("b");
        for (TcpPeerLinks stranger : List.of(foreign, ignorant, second)) {
            stranger.peer("a", "127.0.0.1", a.port());
        }
        CompletableFuture<byte[]> never =
                a.request("x", "any", bytes("?"), Duration.ofMillis(100)).toCompletableFuture();
        assertReason(never, LinkException.Reason.DOWN);
        assertThat(atA.seen.poll(1, TimeUnit.SECONDS)).isNull();
        assertThat(List.of(foreign.up("a"), ignorant.up("a"), second.up("a"))).containsOnly(false);
    }

    @Test
    void leavesAListenerThatSaysNothing() throws Exception {
        TcpPeerLinks b = open("b");
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            b.peer("a", "127.0.0.1", silent.getLocalPort());
            silent.setSoTimeout(60_000);
            try (Socket first = silent.accept();
                    Socket second = silent.accept()) {
                assertThat(second.getPort()).isNotEqualTo(first.getPort());
            }
        }
    }

    @Test
    void survivesRubbishOnItsPort() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), a.port())) {
            socket.getOutputStream().write(bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
            socket.setSoTimeout(60_000);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        Events atA = listen(a);
        call(a, b);
        atA.expect("up b");
    }

    @Test
    void aFloodOfRubbishCostsNoLink() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        a.serve("echo", request -> request.reply(request.payload()));
        Events atA = listen(a);
        Events atB = listen(b);
        introduce(a, b);
        atA.expect("up b");
        atB.expect("up a");
        byte[] noise = new byte[4096];
        new Random(2).nextBytes(noise);
        List<byte[]> rubbish =
                List.of(bytes("HELLO\r\n\r\n\r\n\r\n"), bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), noise);
        for (int i = 0; i < 1000; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), a.port())) {
                socket.getOutputStream().write(rubbish.get(i % rubbish.size()));
            } catch (SocketException e) {
                // Closed on what was still on its way: as well.
                assertThat(e).hasMessageMatching("(?i).*(reset|pipe|closed|abort).*");
            }
            if (i % 10 == 0) {
                assertThat(ask(b, "a", "echo", "" + i)).isEqualTo("" + i);
            }
        }
        assertThat(a.up("b")).isTrue();
        assertThat(b.up("a")).isTrue();
    }

    @Test
    void transfersFilesByName() throws Exception {
        byte[] content = new byte[3_000_001];
        new Random(5).nextBytes(content);
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        b.serveFiles("streams", (peer, file) -> switch (file) {
            case "big" -> new ByteArrayInputStream(content);
            case "empty" -> new ByteArrayInputStream(new byte[0]);
            default -> throw new NoSuchFileException(file);
        });
        Events atA = listen(a);
        call(a, b);
        atA.expect("up b");
        try (InputStream in = a.fetch("b", "streams", "big")) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        try (InputStream in = a.fetch("b", "streams", "empty")) {
            assertThat(in.readAllBytes()).isEmpty();
        }
        assertThatThrownBy(() -> a.fetch("b", "streams", "gone")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> a.fetch("b", "other", "big")).isInstanceOf(IOException.class);
    }

    @Test
    void forgottenPeerStaysOut() throws Exception {
        TcpPeerLinks a = open("a");
        TcpPeerLinks b = open("b");
        Events atA = listen(a);
        introduce(a, b);
        atA.expect("up b");
        a.forget("b");
        atA.expect("down b");
        assertThat(atA.seen.poll(1, TimeUnit.SECONDS)).isNull();
        assertThat(a.peers()).isEmpty();
    }
}
