package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions between the nodes' metadata, as JSON over the peer link; everything arrives on the loop. */
final class Peers {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final String CHANNEL = "metadata";

    private final PeerLinks links;
    private final GroupLoop loop;

    /** By kind of question; owned by the loop after the start. */
    private final Map<String, BiFunction<String, ObjectNode, ObjectNode>> handlers = new TreeMap<>();

    Peers(PeerLinks links, GroupLoop loop) {
        this.links = links;
        this.loop = loop;
    }

    /**
     * Answers one kind of question.
     *
     * @param handler is given the peer and the question; null for no answer
     */
    void on(String kind, BiFunction<String, ObjectNode, ObjectNode> handler) {
        handlers.put(kind, handler);
    }

    /** Begins to answer. */
    void serve(Consumer<String> changed) {
        links.serve(CHANNEL, request -> {
            ObjectNode question;
            try {
                question = JetStreamJson.readOwn(request.payload(), ObjectNode.class);
            } catch (UncheckedIOException e) {
                request.fail("not a question: " + e.getMessage());
                return;
            }
            loop.execute(() -> answer(request, question));
        });
        links.addListener(new PeerLinks.Listener() {
            @Override
            public void up(String peer) {
                loop.execute(() -> changed.accept(peer));
            }

            @Override
            public void down(String peer) {
                loop.execute(() -> changed.accept(peer));
            }

            @Override
            public void refused(String peer) {
                // The link was down before.
            }
        });
    }

    private void answer(PeerLinks.Request request, ObjectNode question) {
        var handler = handlers.get(question.path("ask").asText());
        if (handler == null) {
            request.fail("nobody answers " + question.path("ask").asText());
            return;
        }
        try {
            ObjectNode answer = handler.apply(request.peer(), question);
            request.reply(JetStreamJson.write(answer == null ? JetStreamJson.object() : answer));
        } catch (RuntimeException e) {
            LOG.error("question {} of {} failed", question.path("ask").asText(), request.peer(), e);
            request.fail(String.valueOf(e.getMessage()));
        }
    }

    static ObjectNode question(String kind) {
        return JetStreamJson.object().put("ask", kind);
    }

    /** Asks a peer; the answer, null when there is none, arrives on the loop. */
    void ask(String peer, ObjectNode question, Duration patience, Consumer<JsonNode> answer) {
        var _ = links.request(peer, CHANNEL, JetStreamJson.write(question), patience)
                .whenComplete((bytes, failure) -> {
                    JsonNode parsed = bytes == null ? null : JetStreamJson.readOwn(bytes, ObjectNode.class);
                    loop.execute(() -> answer.accept(parsed));
                });
    }

    /** Asks all peers that are there; done once all have answered or the patience is over. */
    void askAll(ObjectNode question, Duration patience, BiConsumer<String, JsonNode> answer, Runnable done) {
        TreeSet<String> open = new TreeSet<>(up());
        if (open.isEmpty()) {
            done.run();
            return;
        }
        for (String peer : new TreeSet<>(open)) {
            ask(peer, question, patience, node -> {
                if (node != null) {
                    answer.accept(peer, node);
                }
                open.remove(peer);
                if (open.isEmpty()) {
                    done.run();
                }
            });
        }
    }

    /** Tells a peer something. */
    void tell(String peer, ObjectNode what) {
        links.send(peer, CHANNEL, JetStreamJson.write(what));
    }

    void tellAll(ObjectNode what) {
        byte[] bytes = JetStreamJson.write(what);
        up().forEach(peer -> links.send(peer, CHANNEL, bytes));
    }

    boolean up(String peer) {
        return links.up(peer);
    }

    /** Peers there is a link to. */
    SortedSet<String> up() {
        TreeSet<String> up = new TreeSet<>();
        for (String peer : links.peers()) {
            if (links.up(peer)) {
                up.add(peer);
            }
        }
        return up;
    }
}
