package io.penstock.consensus;

import io.penstock.consensus.link.LinkException;
import io.penstock.consensus.link.PeerLinks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The links of a {@link TestingCluster}'s node: every node knows every other. */
final class TestingLinks implements PeerLinks {
    private final TestingCluster cluster;
    private final TestingCluster.Node node;
    private final Map<String, Handler> handlers = new HashMap<>();
    private final Map<String, Files> files = new HashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final Set<String> seenUp = new HashSet<>();
    private final Set<String> forgotten = new HashSet<>();

    TestingLinks(TestingCluster cluster, TestingCluster.Node node) {
        this.cluster = cluster;
        this.node = node;
    }

    void changed() {
        if (!node.up || node.links != this) {
            return;
        }
        for (String other : cluster.nodes()) {
            if (other.equals(node.name)) {
                continue;
            }
            boolean up = up(other);
            if (up && seenUp.add(other)) {
                List<Listener> hearers = List.copyOf(listeners);
                later(() -> hearers.forEach(listener -> listener.up(other)));
            } else if (!up && seenUp.remove(other)) {
                boolean gone = !cluster.up(other);
                later(() -> listeners.forEach(listener -> {
                    listener.down(other);
                    if (gone) {
                        listener.refused(other);
                    }
                }));
            }
        }
    }

    private void later(Runnable task) {
        int life = node.life;
        cluster.at(cluster.random().nextInt(1_000_000), () -> {
            if (node.life == life) {
                task.run();
            }
        });
    }

    @Override
    public String self() {
        return node.name;
    }

    @Override
    public int port() {
        return 1;
    }

    @Override
    public void peer(String name, String host, int port) {
        forgotten.remove(name);
        changed();
    }

    @Override
    public void forget(String name) {
        forgotten.add(name);
        changed();
    }

    @Override
    public Set<String> peers() {
        Set<String> peers = new HashSet<>(cluster.nodes());
        peers.remove(node.name);
        peers.removeAll(forgotten);
        return peers;
    }

    @Override
    public boolean up(String name) {
        return !forgotten.contains(name) && cluster.reachable(node.name, name);
    }

    @Override
    public void addListener(Listener listener) {
        changed();
        listeners.add(listener);
        List<String> present = List.copyOf(seenUp);
        later(() -> present.forEach(listener::up));
    }

    @Override
    public void serve(String channel, Handler handler) {
        handlers.put(channel, handler);
    }

    @Override
    public void serveFiles(String channel, Files served) {
        files.put(channel, served);
    }

    @Override
    public CompletionStage<byte[]> request(String peer, String channel, byte[] payload, Duration patience) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        Runnable lost = () -> later(
                () -> answer.completeExceptionally(new LinkException(LinkException.Reason.DOWN, "no link to " + peer)));
        if (!up(peer)) {
            lost.run();
            return answer;
        }
        cluster.at(
                patience.toNanos(),
                () -> answer.completeExceptionally(
                        new LinkException(LinkException.Reason.TIMEOUT, "no answer of " + peer)));
        String self = node.name;
        cluster.sendSurely(
                self,
                peer,
                () -> cluster.node(peer).links.handle(channel, new Incoming(self, payload, answer, peer, lost)),
                lost);
        return answer;
    }

    private void handle(String channel, Incoming request) {
        Handler handler = handlers.get(channel);
        if (handler == null) {
            request.fail("nobody serves channel " + channel);
        } else {
            handler.handle(request);
        }
    }

    @Override
    public boolean send(String peer, String channel, byte[] payload) {
        if (!up(peer)) {
            return false;
        }
        CompletableFuture<byte[]> unwanted = new CompletableFuture<>();
        String self = node.name;
        cluster.sendSurely(
                self,
                peer,
                () -> cluster.node(peer).links.handle(channel, new Incoming(self, payload, unwanted, peer, () -> {})),
                () -> {});
        return true;
    }

    @Override
    public InputStream fetch(String peer, String channel, String file) throws IOException {
        if (!up(peer)) {
            throw new IOException("no link to " + peer);
        }
        Files served = cluster.node(peer).links.files.get(channel);
        if (served == null) {
            throw new NoSuchFileException(file);
        }
        return served.open(node.name, file);
    }

    @Override
    public void close() {
        handlers.clear();
        listeners.clear();
    }

    private final class Incoming implements Request {
        private final String peer;
        private final byte[] payload;
        private final CompletableFuture<byte[]> answer;
        private final String served;
        private final Runnable lost;

        Incoming(String peer, byte[] payload, CompletableFuture<byte[]> answer, String served, Runnable lost) {
            this.peer = peer;
            this.payload = payload;
            this.answer = answer;
            this.served = served;
            this.lost = lost;
        }

        @Override
        public String peer() {
            return peer;
        }

        @Override
        public byte[] payload() {
            return payload;
        }

        @Override
        public void reply(byte[] bytes) {
            cluster.sendSurely(served, peer, () -> answer.complete(bytes), lost);
        }

        @Override
        public void fail(String reason) {
            LinkException refusal = new LinkException(LinkException.Reason.REFUSED, reason);
            cluster.sendSurely(served, peer, () -> answer.completeExceptionally(refusal), lost);
        }
    }
}
