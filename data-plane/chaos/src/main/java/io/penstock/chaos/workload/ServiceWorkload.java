package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import io.penstock.chaos.host.Client;
import io.penstock.chaos.workload.Publishers.Acked;
import io.penstock.chaos.workload.Stored.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A service at its daily work: publishers that wait for each acknowledgement, workers on a durable consumer that wait
 * for the answer to theirs, requests answered by a queue group. Each client is told of one node; where it may go when
 * that is lost it hears from the node. What is not answered within a second is tried again, ten times in all.
 */
public final class ServiceWorkload {
    private static final String STREAM = "SERVICE";
    private static final String DURABLE = "workers";
    private static final String QUESTIONS = "questions";
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration DRAIN = Duration.ofMinutes(1);
    private static final long PAUSE_NANOS = 10_000_000L;
    private static final int ATTEMPTS = 10;
    private static final int PUBLISHERS = 6;
    private static final int WORKERS = 3;
    private static final int ASKERS = 3;

    private final ChaosCluster cluster;
    private final Violations violations;
    private final Operations publishes = new Operations("publishes", ATTEMPTS);
    private final Operations requests = new Operations("requests", ATTEMPTS);
    private final Worker.Shared shared = new Worker.Shared(ATTEMPTS);
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Client> answerers = new ArrayList<>();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /** Guarded by this. */
    private final List<Acked> acked = new ArrayList<>();

    /** Guarded by this: every value sent, with its subject. */
    private final Map<String, String> sent = new HashMap<>();

    public ServiceWorkload(ChaosCluster cluster, Violations violations) {
        this.cluster = cluster;
        this.violations = violations;
        for (int worker = 0; worker < WORKERS; worker++) {
            int number = worker;
            workers.add(new Worker(
                    () -> cluster.connectKnowingOne("app", number),
                    STREAM,
                    DURABLE,
                    shared,
                    worker,
                    0,
                    0,
                    0,
                    violations));
        }
        for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
            int number = publisher;
            threads.add(Thread.ofPlatform().name("publisher-" + number).unstarted(() -> publish(number)));
        }
        for (int asker = 0; asker < ASKERS; asker++) {
            int number = asker;
            threads.add(Thread.ofPlatform().name("asker-" + number).unstarted(() -> ask(number)));
        }
    }

    /** The stream that carries it. */
    public String stream() {
        return STREAM;
    }

    /** Makes stream and consumer; the cluster is whole. */
    public void prepare() throws IOException, JetStreamApiException {
        try (Client client = cluster.connect("app")) {
            JetStreamManagement management = client.nats().jetStreamManagement();
            management.addStream(StreamConfiguration.builder()
                    .name(STREAM)
                    .subjects("service.>")
                    .duplicateWindow(Duration.ofMinutes(10))
                    .replicas(cluster.nodes().size())
                    .build());
            management.addOrUpdateConsumer(STREAM, Worker.consumer(DURABLE));
        }
    }

    public void start() {
        for (int node = 0; node < cluster.nodes().size(); node++) {
            Client client = cluster.connectKnowingOne("app", node);
            answerers.add(client);
            Connection connection = client.nats();
            connection
                    .createDispatcher(question -> connection.publish(question.getReplyTo(), question.getData()))
                    .subscribe(QUESTIONS, "answerers");
        }
        workers.forEach(Worker::start);
        threads.forEach(Thread::start);
    }

    private void publish(int publisher) {
        try (Client client = cluster.connectKnowingOne("app", publisher)) {
            JetStream jetStream = client.nats()
                    .jetStream(
                            JetStreamOptions.builder().requestTimeout(PATIENCE).build());
            for (int n = 0; !stopping.get(); n++) {
                String value = "p" + publisher + "-" + n;
                String subject = "service." + n % 10;
                note(value, subject);
                if (!publishes.run(publisher, () -> isStored(jetStream, publisher, subject, value))) {
                    violations.add("R1", "%s was not acknowledged in %d attempts".formatted(value, ATTEMPTS));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStored(JetStream jetStream, int publisher, String subject, String value) {
        try {
            PublishAck ack = jetStream.publish(NatsMessage.builder()
                    .subject(subject)
                    .headers(new Headers().add("Nats-Msg-Id", value))
                    .data(value.getBytes(StandardCharsets.UTF_8))
                    .build());
            record(new Acked(ack.getSeqno(), value, subject, publisher));
            return true;
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            return false;
        }
    }

    private void ask(int asker) {
        try (Client client = cluster.connectKnowingOne("app", asker)) {
            for (int n = 0; !stopping.get(); n++) {
                byte[] question = ("q" + asker + "-" + n).getBytes(StandardCharsets.UTF_8);
                if (!requests.run(asker, () -> isAnswered(client.nats(), question))) {
                    violations.add("R2", "request %d of %d was not answered".formatted(n, asker));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAnswered(Connection connection, byte[] question) throws InterruptedException {
        try {
            Message answer = connection.request(QUESTIONS, question, PATIENCE);
            if (answer != null && !java.util.Arrays.equals(answer.getData(), question)) {
                violations.add("R2", "a request got the answer to another one");
            }
            return answer != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private synchronized void note(String value, String subject) {
        sent.put(value, subject);
    }

    private synchronized void record(Acked message) {
        acked.add(message);
    }

    /** Stops those who write and ask; workers go on until {@link #check}. */
    public void stopWriting() throws InterruptedException {
        stopping.set(true);
        for (Thread thread : threads) {
            thread.join(Duration.ofSeconds(30));
        }
        answerers.forEach(Client::close);
    }

    /** Compares what is stored on each node and what was delivered with what was acknowledged. */
    public synchronized void check() throws IOException, JetStreamApiException, InterruptedException {
        ChaosCluster.await(DRAIN, () -> shared.acknowledged.size() >= acked.size());
        workers.forEach(Worker::stop);
        for (Acked message : acked) {
            if (!shared.delivered.contains(message.value())) {
                violations.add(
                        "I7",
                        "acknowledged %s at %d was never delivered".formatted(message.value(), message.sequence()));
            }
        }
        if (shared.acks.failed() > 0) {
            violations.add(
                    "R3",
                    "%d acknowledgements of workers were not answered in %d attempts"
                            .formatted(shared.acks.failed(), ATTEMPTS));
        }
        try (Client client = cluster.connect("app")) {
            for (ChaosNode node : cluster.nodes()) {
                if (!Stored.lead(client.nats(), STREAM, node.name())) {
                    violations.add("I13", "%s does not become the leader of %s".formatted(node.name(), STREAM));
                    continue;
                }
                List<Entry> entries = Stored.read(client.nats(), STREAM);
                PublishCheck.check(acked, sent, entries, node.name(), violations);
            }
        }
    }

    /** What was done, by kind. */
    public List<Operations> operations() {
        return List.of(publishes, shared.acks, requests);
    }
}
