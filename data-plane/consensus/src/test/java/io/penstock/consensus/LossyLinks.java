package io.penstock.consensus;

import io.penstock.consensus.link.LinkException;
import io.penstock.consensus.link.PeerLinks;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Links that lose what a test wants lost: the asker hears nothing until its patience ends. */
final class LossyLinks implements PeerLinks {
    /** What is lost; any thread. */
    interface Loss {
        boolean lost(String from, String to, byte[] payload);
    }

    private final PeerLinks links;
    private final Loss loss;

    LossyLinks(PeerLinks links, Loss loss) {
        this.links = links;
        this.loss = loss;
    }

    @Override
    public CompletionStage<byte[]> request(String peer, String channel, byte[] payload, Duration patience) {
        if (!loss.lost(links.self(), peer, payload)) {
            return links.request(peer, channel, payload, patience);
        }
        Executor later = CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<byte[]> never = new CompletableFuture<>();
        later.execute(
                () -> never.completeExceptionally(new LinkException(LinkException.Reason.TIMEOUT, "lost by the test")));
        return never;
    }

    @Override
    public String self() {
        return links.self();
    }

    @Override
    public int port() {
        return links.port();
    }

    @Override
    public void peer(String name, String host, int port) {
        links.peer(name, host, port);
    }

    @Override
    public void forget(String name) {
        links.forget(name);
    }

    @Override
    public Set<String> peers() {
        return links.peers();
    }

    @Override
    public boolean up(String name) {
        return links.up(name);
    }

    @Override
    public void addListener(Listener listener) {
        links.addListener(listener);
    }

    @Override
    public void serve(String channel, Handler handler) {
        links.serve(channel, handler);
    }

    @Override
    public void serveFiles(String channel, Files files) {
        links.serveFiles(channel, files);
    }

    @Override
    public boolean send(String peer, String channel, byte[] payload) {
        return links.send(peer, channel, payload);
    }

    @Override
    public InputStream fetch(String peer, String channel, String file) throws IOException {
        return links.fetch(peer, channel, file);
    }

    @Override
    public void close() {
        links.close();
    }
}
