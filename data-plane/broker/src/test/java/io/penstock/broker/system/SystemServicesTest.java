package io.penstock.broker.system;

import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.pair;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

class SystemServicesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final TestingOperator OPERATOR = new TestingOperator();
    private static final NKeyPair ACME = pair(KeyType.ACCOUNT);

    /** Accounts of the tests that hear of connections: those of other tests may still be ending. */
    private static final NKeyPair WATCHED = pair(KeyType.ACCOUNT);

    private static final NKeyPair COUNTED = pair(KeyType.ACCOUNT);
    private static final NKeyPair USER = pair(KeyType.USER);
    private static TestingBroker broker;

    private TestingWire system;

    @BeforeAll
    static void start() throws Exception {
        OPERATOR.preload(ACME, AccountClaims.builder(ACME.publicKey(), "acme").build());
        OPERATOR.preload(
                WATCHED, AccountClaims.builder(WATCHED.publicKey(), "watched").build());
        OPERATOR.preload(
                COUNTED, AccountClaims.builder(COUNTED.publicKey(), "counted").build());
        broker = TestingBroker.start(OPERATOR.config(ResolverConfig.memory()));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() throws Exception {
        system = OPERATOR.dialSystem(broker.port());
    }

    @AfterEach
    void disconnect() throws Exception {
        system.close();
    }

    private TestingWire admitted() throws Exception {
        return admitted(ACME);
    }

    private TestingWire admitted(NKeyPair account) throws Exception {
        TestingWire wire = dial(broker.port(), encode(claims(USER, account, UserLimits.UNLIMITED), account), USER);
        wire.flush();
        return wire;
    }

    private JsonNode ask(String subject, String body) throws Exception {
        return JSON.readTree(system.request(subject, body).payload());
    }

    @Test
    void pingTellsTheServersFigures() throws Exception {
        JsonNode reply = ask("$SYS.REQ.SERVER.PING", "");

        assertThat(reply.path("server").path("id").asText()).isEqualTo(broker.id());
        assertThat(reply.path("statsz").path("connections").asInt()).isPositive();
        assertThat(reply.path("statsz").path("mem").asLong()).isPositive();
        assertThat(reply.has("data")).isFalse();
    }

    @Test
    void idzIsBare() throws Exception {
        JsonNode reply = ask("$SYS.REQ.SERVER.PING.IDZ", "");

        assertThat(reply.path("id").asText()).isEqualTo(broker.id());
        assertThat(reply.has("server")).isFalse();
    }

    @Test
    void filtersChooseServers() throws Exception {
        assertThat(ask("$SYS.REQ.SERVER.PING", "{\"server_name\":\"test\"}").has("statsz"))
                .isTrue();
        system.publish("$SYS.REQ.SERVER.PING", "nowhere", "{\"server_name\":\"test\",\"exact_match\":true}");
        system.publish("$SYS.REQ.SERVER.PING", "nowhere", "{\"server_name\":\"other\"}");
        assertThat(system.isQuiet()).isTrue();
    }

    @Test
    void pluggedEndpointsAnswerByPingAndById() throws Exception {
        broker.access().services().register("VARZ", request -> Json.object().put("port", 1));

        assertThat(ask("$SYS.REQ.SERVER.PING.VARZ", "")
                        .path("data")
                        .path("port")
                        .asInt())
                .isEqualTo(1);
        assertThat(ask("$SYS.REQ.SERVER." + broker.id() + ".VARZ", "")
                        .path("data")
                        .path("port")
                        .asInt())
                .isEqualTo(1);
        assertThat(system.request("$SYS.REQ.SERVER." + broker.id() + ".RAFTZ", "")
                        .headers())
                .startsWith("NATS/1.0 503");
        assertThat(ask("$SYS.REQ.SERVER.PING.VARZ", "[1]")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(400);
    }

    @Test
    void accountInfoShowsClaims() throws Exception {
        admitted().close();
        JsonNode data =
                ask("$SYS.REQ.ACCOUNT." + ACME.publicKey() + ".INFO", "").path("data");

        assertThat(data.path("account_name").asText()).isEqualTo(ACME.publicKey());
        assertThat(data.path("name_tag").asText()).isEqualTo("acme");
        assertThat(data.path("issuer_key").asText()).isEqualTo(OPERATOR.signing.publicKey());
        assertThat(data.path("complete").asBoolean()).isTrue();
    }

    @Test
    void connectAndDisconnectAreTold() throws Exception {
        system.send("SUB $SYS.ACCOUNT." + WATCHED.publicKey() + ".CONNECT 1");
        system.send("SUB $SYS.ACCOUNT." + WATCHED.publicKey() + ".DISCONNECT 2");
        system.flush();
        try (TestingWire wire = admitted(WATCHED)) {
            JsonNode connect = JSON.readTree(system.message().payload());
            assertThat(connect.path("type").asText()).isEqualTo("io.nats.server.advisory.v1.client_connect");
            assertThat(connect.path("client").path("acc").asText()).isEqualTo(WATCHED.publicKey());
            assertThat(connect.path("client").path("user").asText()).isEqualTo(USER.publicKey());
            wire.publish("a", "", "12345");
            wire.flush();
        }
        JsonNode disconnect = JSON.readTree(system.message().payload());
        assertThat(disconnect.path("reason").asText()).isEqualTo("Client Closed");
        assertThat(disconnect.path("sent").path("msgs").asInt()).isEqualTo(1);
        assertThat(disconnect.path("sent").path("bytes").asInt()).isEqualTo(5);
    }

    @Test
    void failedLoginsAreTold() throws Exception {
        system.send("SUB $SYS.SERVER.*.CLIENT.AUTH.ERR 1");
        system.flush();
        try (TestingWire bad = dial(broker.port(), "x.y.z", USER)) {
            assertThat(bad.next()).isEqualTo("-ERR 'Authorization Violation'");
        }
        JsonNode event = JSON.readTree(system.message().payload());
        assertThat(event.path("type").asText()).isEqualTo("io.nats.server.advisory.v1.client_disconnect");
        assertThat(event.path("reason").asText()).isEqualTo("Authentication Failure");
    }

    @Test
    void accountConnectionsAreToldOnChangeAndOnRequest() throws Exception {
        system.send("SUB $SYS.ACCOUNT." + COUNTED.publicKey() + ".SERVER.CONNS 1");
        system.flush();
        try (TestingWire wire = admitted(COUNTED)) {
            JsonNode event = JSON.readTree(system.message().payload());
            assertThat(event.path("conns").asInt()).isEqualTo(1);
            assertThat(event.path("acc").asText()).isEqualTo(COUNTED.publicKey());
            assertThat(ask("$SYS.REQ.ACCOUNT." + COUNTED.publicKey() + ".CONNS", "")
                            .path("conns")
                            .asInt())
                    .isEqualTo(1);
            assertThat(wire.isQuiet()).isTrue();
        }
    }

    @Test
    void kicksOneConnection() throws Exception {
        try (TestingWire wire = admitted()) {
            String info = wire.info();
            String cid = info.replaceAll(".*\"client_id\":(\\d+).*", "$1");
            JsonNode reply = ask("$SYS.REQ.SERVER." + broker.id() + ".KICK", "{\"cid\":" + cid + "}");
            assertThat(reply.has("error")).isFalse();
            assertThat(wire.isClosed()).isTrue();
        }
        assertThat(ask("$SYS.REQ.SERVER." + broker.id() + ".KICK", "{\"cid\":999999}")
                        .path("error")
                        .path("description")
                        .asText())
                .isEqualTo("no such client or leafnode id");
    }

    @Test
    void countsSubscribersOfTheAskersAccount() throws Exception {
        system.send("SUB jobs.> 1");
        system.send("SUB jobs.a q 2");
        system.flush();

        assertThat(system.request("$SYS.DEBUG.SUBSCRIBERS", "jobs.a").payload()).isEqualTo("1");
        assertThat(system.request("$SYS.DEBUG.SUBSCRIBERS", "jobs.a q").payload())
                .isEqualTo("1");
        assertThat(system.request("$SYS.DEBUG.SUBSCRIBERS", "none").payload()).isEqualTo("0");
    }

    @Test
    void repliesAreCompressedOnRequest() throws Exception {
        system.send("SUB inbox.z 7");
        String headers = "NATS/1.0\r\nAccept-Encoding: gzip\r\n\r\n";
        system.send(
                "HPUB $SYS.REQ.SERVER.PING inbox.z " + headers.length() + " " + headers.length() + "\r\n" + headers);

        TestingWire.Message message = system.message();
        assertThat(message.headers()).contains("Content-Encoding: gzip");
        assertThat(message.payload()).startsWith("\u001f\u008b");
    }
}
