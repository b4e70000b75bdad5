package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Account;
import io.penstock.broker.AccountLimits;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class LimitsTest {
    private static final String ACCOUNT_IS_FULL = "-ERR 'maximum account active connections exceeded'\r\n";

    /** Waits for a condition, with a deadline. */
    static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("condition in time").isLessThan(deadline);
            synchronized (condition) {
                condition.wait(2);
            }
        }
    }

    @Test
    void acceptsAPayloadAtTheLimitAndEndsAboveIt() throws Exception {
        try (TestingServer server = TestingServer.start(
                        TestingServer.options().maxPayload(1024).build());
                RawClient client = server.connect()) {
            assertThat(client.info).contains("\"max_payload\":1024");
            assertThat(client.exchange("SUB a 1\r\nPUB a 1024\r\n" + "x".repeat(1024) + "\r\n"))
                    .startsWith("MSG a 1 1024\r\n");
            client.send("PUB a 1025\r\n" + "x".repeat(1025) + "\r\n");
            assertThat(client.untilClosed()).isEqualTo("-ERR 'Maximum Payload Violation'\r\n");
            await(() -> server.broker.closedConnections().size() == 1);
            assertThat(server.broker.closedConnections().getFirst().reason())
                    .isEqualTo(ClosedReason.MAX_PAYLOAD_EXCEEDED);
        }
    }

    @Test
    void refusesConnectionsAboveTheServersLimit() throws Exception {
        try (TestingServer server = TestingServer.start(
                        TestingServer.options().maxConnections(1).build());
                RawClient first = server.connect()) {
            assertThat(first.exchange("")).isEmpty();
            try (RawClient second = server.open()) {
                assertThat(second.info).isEqualTo("-ERR 'maximum connections exceeded'");
                assertThat(second.untilClosed()).isEmpty();
            }
            assertThat(first.exchange("")).isEmpty();
        }
    }

    @Test
    void limitsConnectionsOfAnAccountAndClosesTheNewestWhenLowered() throws Exception {
        try (TestingServer server = TestingServer.start()) {
            Account account = server.broker.accounts().getOrCreate("$G");
            account.updateLimits(new AccountLimits(2, -1, -1, -1));
            try (RawClient first = server.connect()) {
                // Each is registered before the next one comes: their loops differ, so would their order.
                assertThat(first.exchange("")).isEmpty();
                try (RawClient second = server.connect()) {
                    assertThat(second.exchange("")).isEmpty();
                    try (RawClient third = server.connect()) {
                        assertThat(third.untilClosed()).isEqualTo(ACCOUNT_IS_FULL);
                    }
                    assertThat(second.exchange("")).isEmpty();

                    account.updateLimits(new AccountLimits(1, -1, -1, -1));

                    assertThat(second.untilClosed()).isEqualTo(ACCOUNT_IS_FULL);
                    assertThat(first.exchange("")).isEmpty();
                }
            }
        }
    }

    @Test
    void limitsSubscriptionsAndTheirTokens() throws Exception {
        try (TestingServer server = TestingServer.start(TestingServer.options()
                        .maxSubscriptions(2)
                        .maxSubscriptionTokens(3)
                        .build());
                RawClient client = server.connect()) {
            assertThat(client.exchange("SUB a.b.c 1\r\nSUB a.b.c.d 2\r\nSUB b 3\r\nSUB c 4\r\nUNSUB 1\r\nSUB c 4\r\n"))
                    .isEqualTo("-ERR 'Permissions Violation for Subscription to \"a.b.c.d\", too many tokens'\r\n"
                            + "-ERR 'maximum subscriptions exceeded'\r\n");
        }
    }

    @Test
    void appliesTheLowestOfUserAccountAndServerLimits() throws Exception {
        try (TestingServer server = TestingServer.start(
                TestingServer.options().maxPayload(1000).build(),
                broker -> broker.setAuthenticator(new TestingServer.Users(broker, false)
                        .add("u", "A", Permissions.ALL, new UserLimits(1, 500))))) {
            Account account = server.broker.accounts().find("A");
            account.updateLimits(new AccountLimits(-1, -1, -1, 700));
            try (RawClient client = server.connect("\"user\":\"u\",\"protocol\":1")) {
                client.send("PING\r\n");
                assertThat(client.line()).isEqualTo("PONG");
                assertThat(client.line()).contains("\"max_payload\":500");
                assertThat(client.exchange("SUB a 1\r\nSUB b 2\r\n"))
                        .isEqualTo("-ERR 'maximum subscriptions exceeded'\r\n");

                account.updateLimits(new AccountLimits(-1, -1, -1, 300));

                assertThat(client.line()).startsWith("INFO ").contains("\"max_payload\":300");
                client.send("PUB a 301\r\n");
                assertThat(client.untilClosed()).isEqualTo("-ERR 'Maximum Payload Violation'\r\n");
            }
        }
    }

    @Test
    void closesReceiversThatDoNotRead() throws Exception {
        try (TestingServer server = TestingServer.start(TestingServer.options()
                        .maxPayload(64 * 1024)
                        .maxPending(4 * 1024 * 1024)
                        .build());
                RawClient slow = server.connect();
                RawClient quick = server.connect();
                RawClient publisher = server.connect()) {
            assertThat(slow.exchange("SUB flood 1\r\n")).isEmpty();
            assertThat(quick.exchange("SUB other 1\r\n")).isEmpty();
            String payload = "x".repeat(64 * 1024);
            for (int i = 0; i < 2000 && server.broker.stats().slowConsumersPending() == 0; i++) {
                publisher.publish("flood", payload);
            }
            await(() -> server.broker.stats().slowConsumersPending() == 1
                    && !server.broker.closedConnections().isEmpty());
            assertThat(publisher.exchange("PUB other 1\r\nx\r\n")).isEmpty();
            assertThat(quick.line()).isEqualTo("MSG other 1 1");
            assertThat(server.broker.closedConnections().getFirst().reason())
                    .isEqualTo(ClosedReason.SLOW_CONSUMER_PENDING_BYTES);
        }
    }

    @Test
    void closesReceiversWhoseWritesTakeTooLong() throws Exception {
        try (TestingServer server = TestingServer.start(TestingServer.options()
                        .writeDeadline(Duration.ofMillis(200))
                        .build());
                RawClient slow = server.connect();
                RawClient publisher = server.connect()) {
            assertThat(slow.exchange("SUB flood 1\r\n")).isEmpty();
            String payload = "x".repeat(1024 * 1024);
            for (int i = 0; i < 20; i++) {
                publisher.publish("flood", payload);
            }
            await(() -> server.broker.stats().slowConsumersDeadline() == 1);
            assertThat(publisher.exchange("")).isEmpty();
        }
    }

    @Test
    void closesClientsThatAnswerNoPing() throws Exception {
        try (TestingServer server = TestingServer.start(TestingServer.options()
                        .pingInterval(Duration.ofMillis(50))
                        .pingMax(2)
                        .build());
                RawClient client = server.connect()) {
            assertThat(client.untilClosed()).isEqualTo("PING\r\nPING\r\n-ERR 'Stale Connection'\r\n");
            await(() -> server.broker.stats().staleConnections() == 1);
        }
    }

    @Test
    void endsConnectionsThatDoNotAuthenticateInTime() throws Exception {
        try (TestingServer server = TestingServer.start(
                        TestingServer.options()
                                .authTimeout(Duration.ofMillis(100))
                                .build(),
                        broker -> broker.setAuthenticator(new TestingServer.Users(broker, false)));
                RawClient client = server.open()) {
            assertThat(client.info).contains("\"auth_required\":true", "\"nonce\":\"");
            assertThat(client.untilClosed()).isEqualTo("-ERR 'Authentication Timeout'\r\n");
        }
    }

    @Test
    void lowersLimitsOfLiveConnectionsOnReload() throws Exception {
        try (TestingServer server = TestingServer.start();
                RawClient client = server.connect("\"protocol\":1")) {
            client.send("PING\r\n");
            assertThat(client.until("PONG\r\n")).isEmpty();
            assertThat(client.line()).contains("\"max_payload\":1048576");

            server.broker.reload(
                    server.broker.options().toBuilder().maxPayload(100).build());

            assertThat(client.line()).contains("\"max_payload\":100");
            client.send("PUB a 101\r\n");
            assertThat(client.untilClosed()).isEqualTo("-ERR 'Maximum Payload Violation'\r\n");
        }
    }

    @Test
    void sendsClientsAwayInLameDuckMode() throws Exception {
        try (TestingServer server = TestingServer.start(TestingServer.options()
                        .lameDuckGrace(Duration.ofMillis(50))
                        .lameDuckDuration(Duration.ofMillis(200))
                        .build());
                RawClient one = server.connect("\"protocol\":1");
                RawClient two = server.connect("\"protocol\":1")) {
            assertThat(one.exchange("")).isEmpty();
            assertThat(two.exchange("")).isEmpty();
            assertThat(one.line()).contains("connect_info");

            var done = server.broker.lameDuck();

            assertThat(one.line()).startsWith("INFO ").contains("\"ldm\":true");
            assertThat(one.untilClosed()).isEmpty();
            done.toCompletableFuture().get(60, java.util.concurrent.TimeUnit.SECONDS);
            assertThat(two.untilClosed()).contains("\"ldm\":true");
        }
    }
}
