package io.penstock.broker.system;

import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.pair;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingOperator;
import io.penstock.broker.testing.TestingWire;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.UserLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two tenants side by side: what one may learn over {@code $SYS} is about itself. */
class TenantIsolationTest {
    private static final TestingOperator OPERATOR = new TestingOperator();
    private static final NKeyPair ACME = pair(KeyType.ACCOUNT);
    private static final NKeyPair RIVAL = pair(KeyType.ACCOUNT);
    private static final NKeyPair USER = pair(KeyType.USER);
    private static TestingBroker broker;
    private TestingWire mine;
    private TestingWire theirs;

    @BeforeAll
    static void start() throws Exception {
        OPERATOR.preload(ACME, AccountClaims.builder(ACME.publicKey(), "acme").build());
        OPERATOR.preload(
                RIVAL, AccountClaims.builder(RIVAL.publicKey(), "rival").build());
        broker = TestingBroker.start(OPERATOR.config(ResolverConfig.memory()));
        // Stands in for the page the server plugs in: it tells what it was asked about.
        broker.access()
                .services()
                .register(
                        "CONNZ",
                        request -> Json.object()
                                .put("asked", request.options().path("acc").asText("everything")));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() throws Exception {
        mine = admitted(ACME);
        theirs = admitted(RIVAL);
    }

    private TestingWire admitted(NKeyPair account) throws Exception {
        TestingWire wire = dial(broker.port(), encode(claims(USER, account, UserLimits.UNLIMITED), account), USER);
        wire.flush();
        return wire;
    }

    @AfterEach
    void disconnect() throws Exception {
        mine.close();
        theirs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"$SYS.REQ.ACCOUNT.PING.CONNZ", "$SYS.REQ.SERVER.PING.CONNZ"})
    void connectionsAreThoseOfOnesOwnAccountWhateverTheBodySays(String subject) throws Exception {
        for (String body : new String[] {
            "",
            "{}",
            "{\"acc\":\"" + RIVAL.publicKey() + "\"}",
            "{\"account\":\"" + RIVAL.publicKey() + "\",\"acc\":\"$SYS\",\"auth\":true}"
        }) {
            assertThat(mine.request(subject, body).payload())
                    .contains("\"asked\":\"" + ACME.publicKey() + "\"")
                    .doesNotContain(RIVAL.publicKey());
        }
    }

    @Test
    void statisticsAreThoseOfOnesOwnAccount() throws Exception {
        String body = "{\"accounts\":[\"" + RIVAL.publicKey() + "\"],\"include_unused\":true}";

        assertThat(mine.request("$SYS.REQ.ACCOUNT.PING.STATZ", body).payload())
                .contains("\"acc\":\"" + ACME.publicKey() + "\"")
                .doesNotContain(RIVAL.publicKey())
                .doesNotContain(OPERATOR.system.publicKey());
    }

    @Test
    void userInfoIsAboutTheAsker() throws Exception {
        assertThat(mine.request("$SYS.REQ.USER.INFO", "").payload())
                .contains("\"account\":\"" + ACME.publicKey() + "\"")
                .contains("\"account_name\":\"acme\"")
                .contains("\"user\":\"" + USER.publicKey() + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$SYS.REQ.SERVER.PING",
                "$SYS.REQ.SERVER.PING.STATSZ",
                "$SYS.REQ.SERVER.PING.ACCOUNTZ",
                "$SYS.REQ.SERVER.PING.VARZ",
                "$SYS.REQ.SERVER.PING.JSZ",
                "$SYS.REQ.SERVER.PING.SUBSZ",
                "$SYS.REQ.SERVER.{id}.CONNZ",
                "$SYS.REQ.SERVER.{id}.KICK",
                "$SYS.REQ.SERVER.{id}.LDM",
                "$SYS.REQ.SERVER.{id}.RELOAD",
                "$SYS.REQ.ACCOUNT.{rival}.CONNZ",
                "$SYS.REQ.ACCOUNT.{rival}.INFO",
                "$SYS.REQ.ACCOUNT.{rival}.CONNS",
                "$SYS.REQ.ACCOUNT.{rival}.STATZ",
                "$SYS.REQ.ACCOUNT.{rival}.CLAIMS.LOOKUP",
                "$SYS.REQ.ACCOUNT.{acme}.CLAIMS.UPDATE",
                "$SYS.ACCOUNT.{acme}.CLAIMS.UPDATE",
                "$SYS.REQ.ACCOUNT.PING.SUBSZ",
                "$SYS.REQ.CLAIMS.UPDATE",
                "$SYS.REQ.CLAIMS.LIST",
                "$SYS.REQ.CLAIMS.PACK",
                "$SYS.REQ.CLAIMS.DELETE",
                "$SYS.DEBUG.SUBSCRIBERS",
            })
    void everythingElseHasNoResponder(String subject) throws Exception {
        String asked = subject.replace("{id}", broker.id())
                .replace("{rival}", RIVAL.publicKey())
                .replace("{acme}", ACME.publicKey());

        assertThat(mine.request(asked, "").headers()).startsWith("NATS/1.0 503");
    }

    @Test
    void eventsStayInTheSystemAccount() throws Exception {
        mine.send("SUB $SYS.> 5");
        mine.flush();
        admitted(RIVAL).close();
        try (TestingWire bad = dial(broker.port(), "x.y.z", USER)) {
            assertThat(bad.next()).contains("Authorization Violation");
        }

        assertThat(mine.isQuiet()).isTrue();
    }

    @Test
    void sameSubjectsInTwoAccountsNeverMeet() throws Exception {
        theirs.send("SUB > 1");
        theirs.flush();
        mine.publish("orders.new", "", "secret");
        mine.publish("$SYS.REQ.USER.INFO", "some.reply", "");
        mine.publish("_R_.x.y", "", "secret");
        mine.flush();

        assertThat(theirs.isQuiet()).isTrue();
    }
}
