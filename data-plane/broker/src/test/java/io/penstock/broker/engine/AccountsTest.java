package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Account;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.InterestListener;
import io.penstock.broker.Subscription;
import io.penstock.broker.UserLimits;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.permission.Permissions;
import io.penstock.protocol.SubjectMappings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Accounts on the wire: apart from each other, and joined only on purpose. */
class AccountsTest {
    private TestingServer server;
    private Account a;
    private Account b;

    @BeforeEach
    void start() throws Exception {
        server = TestingServer.start(
                TestingServer.options().build(),
                broker -> broker.setAuthenticator(new TestingServer.Users(broker, true)
                        .add("ann", "A", Permissions.ALL, UserLimits.UNLIMITED)
                        .add("bob", "B", Permissions.ALL, UserLimits.UNLIMITED)));
        a = server.broker.accounts().find("A");
        b = server.broker.accounts().find("B");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawClient ann() throws Exception {
        return server.connect("\"user\":\"ann\"");
    }

    private RawClient bob() throws Exception {
        return server.connect("\"user\":\"bob\"");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void accountsHearNothingOfEachOther() throws Exception {
        try (RawClient ann = ann();
                RawClient bob = bob()) {
            assertThat(bob.exchange("SUB > 1\r\nSUB orders q 2\r\n")).isEmpty();
            assertThat(ann.exchange("SUB > 1\r\nSUB in.> 2\r\nPUB orders in.1 2\r\nhi\r\n"))
                    .contains("MSG orders 1 in.1 2\r\nhi\r\n");
            assertThat(bob.exchange("PUB orders 2\r\nyo\r\n"))
                    .isEqualTo("MSG orders 1 2\r\nyo\r\nMSG orders 2 2\r\nyo\r\n");
            assertThat(ann.exchange("")).isEmpty();
        }
    }

    @Test
    void refusesUnknownUsersAndOperationsBeforeConnect() throws Exception {
        try (RawClient wrong = server.connect("\"user\":\"eve\"");
                RawClient hasty = server.open()) {
            assertThat(wrong.untilClosed()).isEqualTo("-ERR 'Authorization Violation'\r\n");
            hasty.send("SUB > 1\r\n");
            assertThat(hasty.untilClosed()).isEqualTo("-ERR 'Authorization Violation'\r\n");
        }
        LimitsTest.await(() -> server.broker.closedConnections().size() == 2);
        assertThat(server.broker.closedConnections()).allMatch(c -> c.reason() == ClosedReason.AUTHENTICATION_FAILURE);
        assertThat(server.broker.stats().authenticationErrors()).isEqualTo(2);
    }

    @Test
    void readsWhatArrivedWhileTheAuthenticatorThought() throws Exception {
        try (RawClient ann = server.open()) {
            ann.send("CONNECT {\"verbose\":false,\"user\":\"ann\"}\r\nSUB x 1\r\nPUB x 1\r\ny\r\nPING\r\n");
            assertThat(ann.until("PONG\r\n")).isEqualTo("MSG x 1 1\r\ny\r\n");
        }
    }

    @Test
    void aShadowBringsMessagesOfAnotherAccountUnderAnotherName() throws Exception {
        try (RawClient ann = ann();
                RawClient bob = bob()) {
            assertThat(bob.exchange("SUB from.a.> 7\r\n")).isEmpty();
            Subscription original = b.subscriptions().iterator().next();
            Subscription shadow = a.subscribeShadow(original, "orders.>", subject -> "from.a." + subject);

            assertThat(ann.exchange("PUB orders.new 2\r\nhi\r\n")).isEmpty();
            assertThat(bob.until("hi\r\n")).isEqualTo("MSG from.a.orders.new 7 2\r\n");
            assertThat(shadow.delivered()).isEqualTo(1);

            assertThat(bob.exchange("UNSUB 7 2\r\n")).isEmpty();
            assertThat(ann.exchange("PUB orders.new 2\r\nho\r\nPUB orders.new 2\r\nhu\r\n"))
                    .isEmpty();
            assertThat(bob.until("ho\r\n")).isEqualTo("MSG from.a.orders.new 7 2\r\n");
            assertThat(bob.exchange("")).isEmpty();
            assertThat(a.subscriptions()).isEmpty();
            assertThat(b.subscriptions()).isEmpty();
        }
    }

    @Test
    void shadowsGoWithTheConnectionOfTheirOriginal() throws Exception {
        try (RawClient bob = bob()) {
            assertThat(bob.exchange("SUB x 7\r\n")).isEmpty();
            a.subscribeShadow(b.subscriptions().iterator().next(), "y", subject -> "x");
            assertThat(a.hasInterest("y")).isTrue();
        }
        LimitsTest.await(() -> !a.hasInterest("y"));
    }

    @Test
    void aFunctionForwardsRequestsAndTheirReplies() throws Exception {
        a.subscribe("svc", null, message -> {
            String reply = message.reply();
            b.subscribe("_R_.1", null, answer -> answer.forward(a, reply, null));
            return message.forward(b, "time.now", "_R_.1", bytes("NATS/1.0\r\nNats-Request-Info: a\r\n\r\n"));
        });
        try (RawClient ann = ann();
                RawClient bob = bob()) {
            assertThat(ann.exchange("SUB in 1\r\nPUB svc in 1\r\n?\r\n"))
                    .isEqualTo("HMSG in 1 35 35\r\nNATS/1.0 503\r\nNats-Subject: svc\r\n\r\n\r\n");
            assertThat(bob.exchange("SUB time.* 3\r\n")).isEmpty();
            assertThat(ann.exchange("PUB svc in 1\r\n?\r\n")).isEmpty();
            assertThat(bob.until("?\r\n"))
                    .isEqualTo("HMSG time.now 3 _R_.1 34 35\r\nNATS/1.0\r\nNats-Request-Info: a\r\n\r\n");
            assertThat(bob.exchange("PUB _R_.1 4\r\nnoon\r\n")).isEmpty();
            assertThat(ann.until("noon\r\n")).endsWith("MSG in 1 4\r\n");
        }
    }

    @Test
    void chainsThatNeverEndAreCut() throws Exception {
        a.subscribe("loop", null, message -> message.forward(b, "loop", null));
        b.subscribe("loop", null, message -> message.forward(a, "loop", null));
        try (RawClient ann = ann()) {
            assertThat(ann.exchange("SUB in 1\r\nPUB loop in 0\r\n\r\n")).contains("503");
        }
    }

    @Test
    void aFunctionThatFailsHarmsNobody() throws Exception {
        a.subscribe("bad", null, message -> {
            throw new IllegalStateException("on purpose");
        });
        try (RawClient ann = ann()) {
            assertThat(ann.exchange("SUB bad 1\r\nPUB bad 1\r\nx\r\n")).isEqualTo("MSG bad 1 1\r\nx\r\n");
        }
    }

    @Test
    void internalClientsPublishDeliverAndSubscribe() throws Exception {
        InternalClient inside = a.internalClient(ConnectionKind.JETSTREAM);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        inside.subscribe("up.>", message -> {
            byte[] payload = new byte[message.payloadLength()];
            message.copyPayload(payload, 0);
            seen.add(message.subject() + " " + message.reply() + " " + new String(payload, StandardCharsets.US_ASCII)
                    + " " + message.origin().kind() + " " + message.origin().user());
        });
        try (RawClient ann = ann();
                RawClient bob = bob()) {
            assertThat(bob.exchange("SUB > 1\r\n")).isEmpty();
            assertThat(ann.exchange("SUB down 1\r\nPUB up.1 r 2\r\nhi\r\n")).isEmpty();
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("up.1 r hi Client ann");

            assertThat(inside.publish("down", null, new byte[0], bytes("one"))).isTrue();
            assertThat(inside.deliver(
                            "down", "stream.subject", "ack.1", bytes("NATS/1.0\r\nA: b\r\n\r\n"), bytes("two")))
                    .isTrue();
            assertThat(inside.publish("nobody", null, new byte[0], bytes("x"))).isFalse();
            inside.flush();
            assertThat(ann.until("two\r\n"))
                    .isEqualTo("MSG down 1 3\r\none\r\nHMSG stream.subject 1 ack.1 18 21\r\nNATS/1.0\r\nA: b\r\n\r\n");

            inside.publish("down", null, new byte[0], bytes("late"));
            assertThat(ann.until("late\r\n")).isEqualTo("MSG down 1 4\r\n");
            assertThat(bob.exchange("")).isEmpty();
        }
    }

    @Test
    void watchersLearnOfInterestComingAndGoing() throws Exception {
        BlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();
        a.internalClient(ConnectionKind.JETSTREAM).watchInterest("deliver.1", seen::add);
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isFalse();
        try (RawClient ann = ann()) {
            assertThat(ann.exchange("SUB other 1\r\nSUB deliver.* 2\r\nSUB deliver.1 3\r\n"))
                    .isEmpty();
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ann.exchange("UNSUB 2\r\n")).isEmpty();
        }
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isFalse();
        assertThat(seen).isEmpty();
    }

    @Test
    void interestListenersSeeClientSubscriptionsOnly() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        InterestListener listener = new InterestListener() {
            @Override
            public void subscribed(Subscription subscription) {
                seen.add("+" + subscription.pattern());
            }

            @Override
            public void unsubscribed(Subscription subscription) {
                seen.add("-" + subscription.pattern());
            }
        };
        try (RawClient ann = ann()) {
            assertThat(ann.exchange("SUB before 1\r\n")).isEmpty();
            a.addInterestListener(listener);
            a.subscribe("function", null, message -> 1);
            assertThat(ann.exchange("SUB after 2\r\nUNSUB 1\r\n")).isEmpty();
        }
        LimitsTest.await(() -> seen.size() == 4);
        assertThat(seen).containsExactly("+before", "+after", "-before", "-after");
    }

    @Test
    void mapsSubjectsOnTheirWayIn() throws Exception {
        a.updateMappings(SubjectMappings.of(
                List.of(new SubjectMappings.Definition(
                        "old.*", List.of(SubjectMappings.Destination.all("new.{{wildcard(1)}}")))),
                null));
        try (RawClient ann = ann()) {
            assertThat(ann.exchange("SUB new.* 1\r\nSUB old.* 2\r\nPUB old.x r 1\r\ny\r\n"))
                    .isEqualTo("MSG new.x 1 r 1\r\ny\r\n");
        }
    }

    @Test
    void removedAccountsLoseTheirConnections() throws Exception {
        try (RawClient ann = ann();
                RawClient bob = bob()) {
            assertThat(ann.exchange("")).isEmpty();
            server.broker.accounts().remove("A");
            assertThat(ann.untilClosed()).isEmpty();
            assertThat(bob.exchange("")).isEmpty();
        }
    }

    @Test
    void countsTraffic() throws Exception {
        try (RawClient ann = ann();
                RawClient reader = ann()) {
            assertThat(reader.exchange("SUB c 1\r\nSUB c 2\r\n")).isEmpty();
            assertThat(ann.exchange("PUB c 5\r\nhello\r\nPUB none 3\r\nabc\r\n"))
                    .isEmpty();
            assertThat(reader.bytes(2 * "MSG c 1 5\r\nhello\r\n".length())).isNotEmpty();
            LimitsTest.await(() -> a.traffic().outMessages() == 2);
            assertThat(a.traffic().inMessages()).isEqualTo(2);
            assertThat(a.traffic().inBytes()).isEqualTo(8);
            assertThat(a.traffic().outBytes()).isEqualTo(10);
            assertThat(server.broker.stats().traffic().outMessages()).isEqualTo(2);
            assertThat(b.traffic().inMessages()).isZero();
            Connection connection = a.connections().iterator().next();
            assertThat(connection.inMessages() + connection.outMessages()).isEqualTo(2);
        }
    }
}
