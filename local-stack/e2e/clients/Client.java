import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The Java client: core messaging over TCP or WebSocket with a credentials file. Prints one line of JSON. */
public final class Client {
    public static void main(String[] args) throws Exception {
        String prefix = args[2];
        Options options = Options.builder()
                .server(args[0])
                .authHandler(Nats.credentials(args[1]))
                .connectionName("e2e-java")
                .connectionTimeout(Duration.ofSeconds(30))
                .build();
        try (Connection connection = Nats.connect(options)) {
            Subscription plain = connection.subscribe(prefix + ".plain");
            CountDownLatch worked = new CountDownLatch(10);
            for (int i = 0; i < 2; i++) {
                connection.createDispatcher(message -> worked.countDown()).subscribe(prefix + ".work", "workers");
            }
            Dispatcher service = connection.createDispatcher(
                    message -> connection.publish(message.getReplyTo(), message.getData()));
            service.subscribe(prefix + ".echo");

            connection.publish(prefix + ".plain", bytes("hello"));
            Message received = plain.nextMessage(Duration.ofSeconds(30));
            Message answer = connection.request(prefix + ".echo", bytes("are you there"), Duration.ofSeconds(30));
            for (int i = 0; i < 10; i++) {
                connection.publish(prefix + ".work", bytes(Integer.toString(i)));
            }
            connection.flush(Duration.ofSeconds(30));
            boolean all = worked.await(30, TimeUnit.SECONDS);
            System.out.printf(
                    "{\"received\":\"%s\",\"answered\":\"%s\",\"worked\":%d}%n",
                    text(received), text(answer), all ? 10 : 10 - worked.getCount());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Message message) {
        return new String(message.getData(), StandardCharsets.UTF_8);
    }
}
