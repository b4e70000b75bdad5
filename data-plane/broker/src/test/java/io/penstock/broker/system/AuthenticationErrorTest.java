package io.penstock.broker.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthorizationConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingWire;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who hears of clients that were refused. */
class AuthenticationErrorTest {
    private static final String EVENTS = "SUB $SYS.> 1";

    private TestingBroker broker;

    @AfterEach
    void stop() {
        broker.close();
    }

    private static UserConfig user(String name) {
        return new UserConfig(name, "secret", null, null, List.of(), false);
    }

    private static AccountConfig account(String name, String user) {
        return new AccountConfig(
                name,
                null,
                List.of(user(user)),
                List.of(),
                List.of(),
                List.of(),
                AccountConfig.Limits.UNLIMITED,
                null,
                null);
    }

    /** With accounts A and B, the system account, and {@code g} in the global account. */
    private void start() throws Exception {
        AuthorizationConfig global =
                new AuthorizationConfig(null, null, null, List.of(user("g")), null, null, null, false);
        List<AccountConfig> accounts = List.of(account("A", "a"), account("B", "b"), account("SYS", "s"));
        broker = TestingBroker.start(new AuthConfig(global, accounts, List.of(), null, "SYS", false, null));
    }

    private TestingWire admitted(String user) throws Exception {
        TestingWire wire = TestingWire.admitted(broker.port(), "\"user\":\"" + user + "\",\"pass\":\"secret\"");
        return wire;
    }

    private TestingWire listening(String user) throws Exception {
        TestingWire wire = admitted(user);
        wire.send(EVENTS);
        wire.flush();
        return wire;
    }

    private void fail(String fields) throws Exception {
        try (TestingWire bad = TestingWire.connect(broker.port(), fields)) {
            assertThat(bad.next()).isEqualTo("-ERR 'Authorization Violation'");
        }
    }

    @Test
    void theAccountOfServersWithoutAccountsHearsOfThem() throws Exception {
        start();
        try (TestingWire global = listening("g")) {
            fail("\"user\":\"a\",\"pass\":\"wrong\"");

            TestingWire.Message event = global.message();
            assertThat(event.subject()).isEqualTo("$SYS.ACCOUNT.CLIENT.AUTH.ERR");
            assertThat(event.payload())
                    .contains("\"type\":\"io.nats.server.advisory.v1.client_disconnect\"")
                    .contains("\"reason\":\"Authentication Failure\"")
                    .doesNotContain("wrong");
            assertThat(global.isQuiet()).isTrue();
        }
    }

    @Test
    void tenantsHearNothingOfAnybodysFailuresNotEvenOfTheirOwnUsers() throws Exception {
        start();
        try (TestingWire one = listening("a");
                TestingWire two = listening("b");
                TestingWire system = admitted("s")) {
            system.send("SUB $SYS.SERVER.*.CLIENT.AUTH.ERR 1");
            system.flush();
            fail("\"user\":\"a\",\"pass\":\"wrong\"");
            fail("\"user\":\"b\",\"pass\":\"wrong\"");
            fail("\"user\":\"nobody\"");

            for (int i = 0; i < 3; i++) {
                assertThat(system.message().subject()).endsWith(".CLIENT.AUTH.ERR");
            }
            assertThat(one.isQuiet()).isTrue();
            assertThat(two.isQuiet()).isTrue();
        }
    }
}
