package io.penstock.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingOperator;
import io.penstock.broker.testing.TestingWire;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigAccessTest {
    private static final String VIOLATION = "-ERR 'Authorization Violation'";

    private static UserConfig user(String name, String password) {
        return new UserConfig(name, password, null, null, List.of(), false);
    }

    private static AccountConfig account(String name, UserConfig... users) {
        return new AccountConfig(
                name,
                null,
                List.of(users),
                List.of(),
                List.of(),
                List.of(),
                AccountConfig.Limits.UNLIMITED,
                null,
                null);
    }

    private static AuthConfig accounts(String noAuthUser, AccountConfig... accounts) {
        return new AuthConfig(AuthorizationConfig.NONE, List.of(accounts), List.of(), noAuthUser, null, false, null);
    }

    private static AuthConfig authorization(AuthorizationConfig authorization) {
        return new AuthConfig(authorization, List.of(), List.of(), null, null, false, null);
    }

    private static AuthConfig single(String user, String password, String token) {
        return authorization(new AuthorizationConfig(user, password, token, List.of(), null, null, null, false));
    }

    private static void assertRefused(TestingBroker broker, String fields) throws Exception {
        try (TestingWire wire = TestingWire.connect(broker.port(), fields)) {
            assertThat(wire.next()).isEqualTo(VIOLATION);
            assertThat(wire.isClosed()).isTrue();
        }
    }

    private static void assertAdmitted(TestingBroker broker, String fields) throws Exception {
        try (TestingWire wire = TestingWire.admitted(broker.port(), fields)) {
            assertThat(wire.isQuiet()).isTrue();
        }
    }

    @Test
    void withoutConfigurationEverybodyIsWelcome() throws Exception {
        try (TestingBroker broker = TestingBroker.start(AuthConfig.OPEN)) {
            assertAdmitted(broker, "");
            assertAdmitted(broker, "\"user\":\"a\",\"pass\":\"b\"");
        }
    }

    @Test
    void singleUserNeedsItsPassword() throws Exception {
        try (TestingBroker broker = TestingBroker.start(single("u", "p", null))) {
            assertAdmitted(broker, "\"user\":\"u\",\"pass\":\"p\"");
            assertRefused(broker, "\"user\":\"u\",\"pass\":\"P\"");
            assertRefused(broker, "\"user\":\"x\",\"pass\":\"p\"");
            assertRefused(broker, "\"auth_token\":\"p\"");
            assertRefused(broker, "");
        }
    }

    @Test
    void tokensMayBeHashed() throws Exception {
        String hash = BCrypt.withDefaults().hashToString(4, "tok".toCharArray());
        for (String token : List.of("tok", hash)) {
            try (TestingBroker broker = TestingBroker.start(single(null, null, token))) {
                assertAdmitted(broker, "\"auth_token\":\"tok\"");
                assertRefused(broker, "\"auth_token\":\"" + hash + "\"");
                assertRefused(broker, "\"user\":\"tok\"");
            }
        }
    }

    @Test
    void nkeyUsersSignTheNonce() throws Exception {
        NKeyPair key = TestingOperator.pair(KeyType.USER);
        UserConfig user = new UserConfig(null, null, key.publicKey(), null, List.of(), false);
        try (TestingBroker broker = TestingBroker.start(accounts(null, account("A", user)))) {
            try (TestingWire wire = TestingWire.open(broker.port())) {
                wire.send("CONNECT {\"verbose\":false,\"nkey\":\"" + key.publicKey() + "\",\"sig\":\""
                        + TestingOperator.signature(key, wire.nonce()) + "\"}");
                wire.flush();
                assertThat(wire.isQuiet()).isTrue();
            }
            assertRefused(broker, "\"nkey\":\"" + key.publicKey() + "\"");
            assertRefused(broker, "\"nkey\":\"" + key.publicKey() + "\",\"sig\":\"AAAA\"");
        }
    }

    @Test
    void accountsDoNotSeeEachOther() throws Exception {
        AuthConfig config = accounts(null, account("A", user("a", "1")), account("B", user("b", "2")));
        try (TestingBroker broker = TestingBroker.start(config);
                TestingWire a = TestingWire.admitted(broker.port(), "\"user\":\"a\",\"pass\":\"1\"");
                TestingWire b = TestingWire.admitted(broker.port(), "\"user\":\"b\",\"pass\":\"2\"")) {
            b.send("SUB > 1");
            b.flush();
            a.publish("foo", "", "secret");
            a.flush();
            assertThat(b.isQuiet()).isTrue();
            assertRefused(broker, "\"user\":\"a\",\"pass\":\"2\"");
        }
    }

    @Test
    void noAuthUserIsForConnectionsWithoutCredentials() throws Exception {
        AuthConfig config = accounts("a", account("A", user("a", "1")), account("B", user("b", "2")));
        try (TestingBroker broker = TestingBroker.start(config)) {
            try (TestingWire wire = TestingWire.admitted(broker.port(), "")) {
                assertThat(wire.info()).doesNotContain("auth_required");
                assertThat(wire.request("$SYS.REQ.USER.INFO", "").payload())
                        .contains("\"user\":\"a\"")
                        .contains("\"account\":\"A\"")
                        .contains("\"account_name\":\"A\"");
            }
            assertRefused(broker, "\"user\":\"b\",\"pass\":\"1\"");
        }
    }

    @Test
    void usersOfTheSystemAccountAloneLeaveTheServerOpen() throws Exception {
        try (TestingBroker broker = TestingBroker.start(accounts(null, account("$SYS", user("sys", "1"))))) {
            try (TestingWire wire = TestingWire.admitted(broker.port(), "")) {
                assertThat(wire.info()).contains("\"auth_required\":true");
                assertThat(wire.request("$SYS.REQ.USER.INFO", "").payload()).contains("\"account\":\"$G\"");
            }
            assertAdmitted(broker, "\"user\":\"sys\",\"pass\":\"1\"");
            assertRefused(broker, "\"user\":\"sys\",\"pass\":\"2\"");
        }
    }

    @Test
    void connectionTypesAndPermissionsHold() throws Exception {
        UserConfig webOnly = new UserConfig("w", "1", null, null, List.of("WEBSOCKET"), false);
        PermissionsConfig own = new PermissionsConfig(List.of("a.>"), List.of(), List.of(), List.of("secret.>"), null);
        PermissionsConfig defaults = new PermissionsConfig(List.of("d"), List.of(), List.of(), List.of(), null);
        UserConfig limited = new UserConfig("l", "1", null, own, List.of(), false);
        AuthConfig config = authorization(new AuthorizationConfig(
                null, null, null, List.of(webOnly, limited, user("d", "1")), null, defaults, null, false));
        try (TestingBroker broker = TestingBroker.start(config)) {
            assertRefused(broker, "\"user\":\"w\",\"pass\":\"1\"");
            try (TestingWire wire = TestingWire.admitted(broker.port(), "\"user\":\"l\",\"pass\":\"1\"")) {
                wire.publish("b", "", "");
                assertThat(wire.next()).isEqualTo("-ERR 'Permissions Violation for Publish to \"b\"'");
                wire.send("SUB secret.x 1");
                assertThat(wire.next()).isEqualTo("-ERR 'Permissions Violation for Subscription to \"secret.x\"'");
            }
            try (TestingWire wire = TestingWire.admitted(broker.port(), "\"user\":\"d\",\"pass\":\"1\"")) {
                wire.publish("a.x", "", "");
                assertThat(wire.next()).isEqualTo("-ERR 'Permissions Violation for Publish to \"a.x\"'");
            }
        }
    }

    @Test
    void reloadClosesWhomItNoLongerAdmitsAndKeepsOthers() throws Exception {
        AuthConfig before = accounts(null, account("A", user("a", "1"), user("c", "3")), account("B", user("b", "2")));
        AuthConfig after = accounts(null, account("A", user("a", "1"), user("c", "4")));
        try (TestingBroker broker = TestingBroker.start(before);
                TestingWire a = TestingWire.admitted(broker.port(), "\"user\":\"a\",\"pass\":\"1\"");
                TestingWire b = TestingWire.admitted(broker.port(), "\"user\":\"b\",\"pass\":\"2\"");
                TestingWire c = TestingWire.admitted(broker.port(), "\"user\":\"c\",\"pass\":\"3\"")) {
            broker.access().reload(after);

            assertThat(c.next()).isEqualTo(VIOLATION);
            assertThat(b.isClosed()).isTrue();
            assertThat(a.isQuiet()).isTrue();
            assertRefused(broker, "\"user\":\"b\",\"pass\":\"2\"");
            assertAdmitted(broker, "\"user\":\"c\",\"pass\":\"4\"");
        }
    }

    @Test
    void refusesConfigurationsThatCannotBeMeant() {
        assertThatThrownBy(() -> TestingBroker.start(accounts("nobody", account("A", user("a", "1")))))
                .isInstanceOf(AuthConfigException.class)
                .hasMessageContaining("no_auth_user");
        assertThatThrownBy(() ->
                        TestingBroker.start(accounts(null, account("A", user("a", "1")), account("B", user("a", "2")))))
                .isInstanceOf(AuthConfigException.class)
                .hasMessageContaining("duplicate user");
        assertThatThrownBy(() -> TestingBroker.start(single("u", "p", "t")))
                .isInstanceOf(AuthConfigException.class)
                .hasMessageContaining("token");
    }
}
