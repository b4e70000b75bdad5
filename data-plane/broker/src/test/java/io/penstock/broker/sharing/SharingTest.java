package io.penstock.broker.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Account;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.AuthConfigException;
import io.penstock.broker.auth.AuthorizationConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.sharing.ExportConfig.ResponseType;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharingTest {
    private TestingBroker broker;

    @AfterEach
    void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    private static ExportConfig stream(String subject, String... accounts) {
        return new ExportConfig(
                ShareKind.STREAM, subject, List.of(accounts), ResponseType.SINGLETON, null, null, 0, false);
    }

    private static ExportConfig service(String subject, ResponseType type, Duration threshold) {
        return new ExportConfig(ShareKind.SERVICE, subject, List.of(), type, threshold, null, 0, false);
    }

    private static ImportConfig take(ShareKind kind, String from, String subject, String to) {
        return new ImportConfig(kind, from, subject, to, null, false, false);
    }

    private static AccountConfig account(String name, List<ExportConfig> exports, List<ImportConfig> imports) {
        UserConfig user = new UserConfig(name, "p", null, null, List.of(), false);
        return new AccountConfig(
                name, null, List.of(user), exports, imports, List.of(), AccountConfig.Limits.UNLIMITED, null, null);
    }

    private static AuthConfig config(AccountConfig... accounts) {
        return new AuthConfig(AuthorizationConfig.NONE, List.of(accounts), List.of(), null, null, false, null);
    }

    private void start(AccountConfig... accounts) throws Exception {
        broker = TestingBroker.start(config(accounts));
    }

    private TestingWire as(String account) throws Exception {
        return TestingWire.admitted(broker.port(), "\"user\":\"" + account + "\",\"pass\":\"p\"");
    }

    @Test
    void streamsFlowToSubscribersOfTheImporterUnderTheirLocalSubject() throws Exception {
        start(
                account("A", List.of(stream("orders.>")), List.of()),
                account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "orders.>", "from.a.>"))),
                account("C", List.of(), List.of()));
        try (TestingWire a = as("A");
                TestingWire b = as("B");
                TestingWire c = as("C")) {
            b.send("SUB from.a.*.new 1");
            b.send("SUB > 2");
            c.send("SUB > 3");
            b.flush();
            c.flush();
            a.publish("orders.eu.new", "", "x");
            a.publish("private", "", "y");
            a.flush();

            List<String> subjects = List.of(b.message().subject(), b.message().subject());
            assertThat(subjects).containsExactly("from.a.eu.new", "from.a.eu.new");
            assertThat(b.isQuiet()).isTrue();
            assertThat(c.isQuiet()).isTrue();
        }
    }

    @Test
    void streamSubscriptionsMadeBeforeAndEndedLaterAreFollowed() throws Exception {
        start(
                account("A", List.of(stream("orders.>")), List.of()),
                account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "orders.*", null))));
        try (TestingWire a = as("A");
                TestingWire b = as("B")) {
            b.send("SUB orders.* 1");
            b.send("UNSUB 1 1");
            b.flush();
            a.publish("orders.a", "", "1");
            a.publish("orders.b", "", "2");
            a.flush();

            assertThat(b.message().payload()).isEqualTo("1");
            assertThat(b.isQuiet()).isTrue();
            assertThat(a.request("orders.c", "").headers()).startsWith("NATS/1.0 503");
        }
    }

    @Test
    void queueGroupsOfTheImporterShareTheStream() throws Exception {
        start(
                account("A", List.of(stream("jobs.>")), List.of()),
                account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "jobs.>", null))));
        try (TestingWire a = as("A");
                TestingWire one = as("B");
                TestingWire two = as("B")) {
            one.send("SUB jobs.* q 1");
            two.send("SUB jobs.* q 1");
            one.flush();
            two.flush();
            a.publish("jobs.a", "", "1");
            a.flush();

            assertThat(one.isQuiet()).isNotEqualTo(two.isQuiet());
        }
    }

    @Test
    void servicesAreAskedUnderTheLocalSubjectAndAnswerThroughAHiddenReply() throws Exception {
        start(
                account("S", List.of(service("svc.*", ResponseType.SINGLETON, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc.time", "ask.time"))));
        try (TestingWire s = as("S");
                TestingWire b = as("B")) {
            s.send("SUB svc.time 1");
            s.flush();
            b.send("SUB inbox.1 9");
            b.publish("ask.time", "inbox.1", "now?");

            TestingWire.Message request = s.message();
            assertThat(request.subject()).isEqualTo("svc.time");
            assertThat(request.payload()).isEqualTo("now?");
            assertThat(request.reply()).matches("_R_\\.[A-Za-z0-9]{6}\\.[A-Za-z0-9]{11}");
            assertThat(request.headers()).contains("Nats-Request-Info: {\"acc\":\"B\",\"rtt\":");

            s.publish(request.reply(), "", "noon");
            assertThat(b.message().payload()).isEqualTo("noon");
            s.publish(request.reply(), "", "noon again");
            s.flush();
            assertThat(b.isQuiet()).isTrue();
        }
    }

    @Test
    void requestersCannotForgeWhoTheyAre() throws Exception {
        start(
                account("S", List.of(service("svc", ResponseType.SINGLETON, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc", null))));
        try (TestingWire s = as("S");
                TestingWire b = as("B")) {
            s.send("SUB svc 1");
            s.flush();
            String headers = "NATS/1.0\r\nNats-Request-Info: {\"acc\":\"ROOT\"}\r\n\r\n";
            b.send("HPUB svc inbox " + headers.length() + " " + headers.length() + "\r\n" + headers);

            assertThat(s.message().headers()).contains("\"acc\":\"B\"").doesNotContain("ROOT");
        }
    }

    @Test
    void serviceWithoutResponderTellsTheRequesterAtOnce() throws Exception {
        start(
                account("S", List.of(service("svc", ResponseType.SINGLETON, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc", null))));
        try (TestingWire b = as("B")) {
            assertThat(b.request("svc", "").headers()).startsWith("NATS/1.0 503");
        }
    }

    @Test
    void streamedAnswersEndWithAnEmptyOne() throws Exception {
        start(
                account("S", List.of(service("svc", ResponseType.STREAM, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc", null))));
        try (TestingWire s = as("S");
                TestingWire b = as("B")) {
            s.send("SUB svc 1");
            s.flush();
            b.send("SUB inbox.1 9");
            b.publish("svc", "inbox.1", "");
            String reply = s.message().reply();
            s.publish(reply, "", "1");
            s.publish(reply, "", "2");
            s.publish(reply, "", "");
            s.publish(reply, "", "3");
            s.flush();

            assertThat(b.message().payload()).isEqualTo("1");
            assertThat(b.message().payload()).isEqualTo("2");
            assertThat(b.message().payload()).isEmpty();
            assertThat(b.isQuiet()).isTrue();
        }
    }

    @Test
    void streamMessagesOverAReplyShowTheirOwnSubject() throws Exception {
        start(
                account("S", List.of(service("api", ResponseType.STREAM, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "api", null))));
        InternalClient api = broker.broker().accounts().getOrCreate("S").internalClient(ConnectionKind.JETSTREAM);
        var _ = api.subscribe("api", request -> {
            boolean _ = api.deliver(
                    request.reply(), "orders.7", "$JS.ACK.x", new byte[0], "order".getBytes(StandardCharsets.US_ASCII));
            api.flush();
        });
        try (TestingWire b = as("B")) {
            TestingWire.Message message = b.request("api", "");

            assertThat(message.subject()).isEqualTo("orders.7");
            assertThat(message.reply()).isEqualTo("$JS.ACK.x");
            assertThat(message.payload()).isEqualTo("order");
        }
    }

    @Test
    void streamsOfTheImporterTakeInWhatIsImported() throws Exception {
        start(
                account("A", List.of(stream("orders.>")), List.of()),
                account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "orders.>", "from.a.>"))));
        List<String> taken = new CopyOnWriteArrayList<>();
        InternalClient jetStream = broker.broker().accounts().getOrCreate("B").internalClient(ConnectionKind.JETSTREAM);
        var _ = jetStream.subscribe("from.a.>", message -> taken.add(message.subject()));
        try (TestingWire a = as("A")) {
            a.publish("orders.7", "", "x");
            a.flush();
        }
        assertThat(taken).containsExactly("from.a.7");
    }

    @Test
    void pushedStreamMessagesShowTheirOwnSubjectThroughAnImport() throws Exception {
        start(
                account("A", List.of(stream("deliver.>")), List.of()),
                account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "deliver.>", "mine.>"))));
        InternalClient jetStream = broker.broker().accounts().getOrCreate("A").internalClient(ConnectionKind.JETSTREAM);
        try (TestingWire b = as("B")) {
            b.send("SUB mine.x 1");
            b.flush();
            boolean reached = jetStream.deliver("deliver.x", "orders.7", "$JS.ACK.y", new byte[0], new byte[] {'m'});
            jetStream.flush();

            assertThat(reached).isTrue();
            TestingWire.Message message = b.message();
            assertThat(message.subject()).isEqualTo("orders.7");
            assertThat(message.reply()).isEqualTo("$JS.ACK.y");
        }
    }

    private static ExportConfig measured(int sampling, Duration threshold) {
        return new ExportConfig(
                ShareKind.SERVICE,
                "svc",
                List.of(),
                ResponseType.SINGLETON,
                threshold,
                new ExportConfig.Latency(sampling, "latency.svc"),
                0,
                false);
    }

    @Test
    void measuredServicesTellHowLongTheyTook() throws Exception {
        start(
                account("S", List.of(measured(100, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc", null))));
        try (TestingWire s = as("S");
                TestingWire watcher = as("S");
                TestingWire b = as("B")) {
            watcher.send("SUB latency.svc 1");
            watcher.flush();
            assertThat(b.request("svc", "").headers()).startsWith("NATS/1.0 503");
            assertThat(watcher.message().payload())
                    .contains("\"type\":\"io.nats.server.metric.v1.service_latency\"")
                    .contains("\"status\":503,\"description\":\"Service Unavailable\"");

            s.send("SUB svc 1");
            s.flush();
            b.send("SUB inbox.1 9");
            b.publish("svc", "inbox.1", "");
            s.publish(s.message().reply(), "", "done");
            assertThat(b.message().payload()).isEqualTo("done");
            assertThat(watcher.message().payload())
                    .contains("\"status\":200")
                    .contains("\"requestor\":{\"acc\":\"B\"")
                    .contains("\"responder\":{")
                    .containsPattern("\"service\":\\d+,\"system\":0,\"total\":\\d+");

            b.publish("svc", "", "");
            assertThat(watcher.message().payload()).contains("\"status\":400,\"description\":\"Bad Request\"");
        }
    }

    @Test
    void lateServicesAreToldOfAsTimedOut() throws Exception {
        start(
                account("S", List.of(measured(100, Duration.ofMillis(100))), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc", null))));
        try (TestingWire s = as("S");
                TestingWire b = as("B")) {
            s.send("SUB latency.svc 1");
            s.send("SUB svc 2");
            s.flush();
            b.publish("svc", "inbox.1", "");

            assertThat(s.message().subject()).isEqualTo("svc");
            assertThat(s.message().payload()).contains("\"status\":504,\"description\":\"Service Timeout\"");
        }
    }

    @Test
    void measuresOnRequestOfTraceHeadersOnly() throws Exception {
        start(
                account("S", List.of(measured(0, null)), List.of()),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "S", "svc", null))));
        try (TestingWire s = as("S");
                TestingWire b = as("B")) {
            s.send("SUB latency.svc 1");
            s.flush();
            b.publish("svc", "inbox.1", "");
            b.flush();
            assertThat(s.isQuiet()).isTrue();

            String headers = "NATS/1.0\r\nTraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n\r\n";
            b.send("HPUB svc inbox.1 " + headers.length() + " " + headers.length() + "\r\n" + headers);
            assertThat(s.message().payload()).contains("\"header\":{\"Traceparent\":[");
        }
    }

    @Test
    void waysBackCloseAfterTheThreshold() throws Exception {
        start(account("S", List.of(), List.of()), account("B", List.of(), List.of()));
        Account exporter = broker.broker().accounts().getOrCreate("S");
        Account requester = broker.broker().accounts().getOrCreate("B");
        AtomicLong now = new AtomicLong();
        try (TestingWire s = as("S");
                TestingWire b = as("B");
                ReplyRoutes routes = new ReplyRoutes(exporter, now::get)) {
            b.send("SUB inbox.* 1");
            b.flush();
            String kept = routes.open(requester, "inbox.kept", ResponseType.STREAM, Duration.ofSeconds(5));
            String late = routes.open(requester, "inbox.late", ResponseType.SINGLETON, Duration.ofSeconds(5));
            now.addAndGet(Duration.ofSeconds(4).toNanos());
            s.publish(kept, "", "1");
            s.flush();
            now.addAndGet(Duration.ofSeconds(4).toNanos());
            routes.expire();

            assertThat(routes.openCount()).isEqualTo(1);
            s.publish(late, "", "too late");
            s.publish(kept, "", "2");
            s.flush();
            assertThat(b.message().payload()).isEqualTo("1");
            assertThat(b.message().payload()).isEqualTo("2");
            assertThat(b.isQuiet()).isTrue();
        }
    }

    @Test
    void servicesChainAcrossAccountsAndNameTheFirstRequester() throws Exception {
        start(
                account("S", List.of(service("end", ResponseType.SINGLETON, null)), List.of()),
                account(
                        "M",
                        List.of(service("mid", ResponseType.SINGLETON, null)),
                        List.of(take(ShareKind.SERVICE, "S", "end", "mid"))),
                account("B", List.of(), List.of(take(ShareKind.SERVICE, "M", "mid", null))));
        try (TestingWire s = as("S");
                TestingWire b = as("B")) {
            s.send("SUB end 1");
            s.flush();
            b.send("SUB inbox.1 9");
            b.publish("mid", "inbox.1", "q");
            TestingWire.Message request = s.message();
            assertThat(request.headers()).contains("\"acc\":\"B\"").contains("\"svc\":\"M\"");
            s.publish(request.reply(), "", "a");

            assertThat(b.message().payload()).isEqualTo("a");
        }
    }

    @Test
    void importsOfOtherAccountsExportsAreRefusedAtStart() {
        assertThatThrownBy(() -> start(
                        account("A", List.of(stream("orders.>", "C")), List.of()),
                        account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "orders.>", null))),
                        account("C", List.of(), List.of())))
                .isInstanceOf(AuthConfigException.class)
                .hasMessageContaining("account \"B\" cannot import \"orders.>\" from account \"A\"");
    }

    @Test
    void cyclesAreRefused() {
        assertThatThrownBy(() -> start(
                        account(
                                "A",
                                List.of(service("a", ResponseType.SINGLETON, null)),
                                List.of(take(ShareKind.SERVICE, "B", "b", "a"))),
                        account(
                                "B",
                                List.of(service("b", ResponseType.SINGLETON, null)),
                                List.of(take(ShareKind.SERVICE, "A", "a", "b")))))
                .isInstanceOf(AuthConfigException.class)
                .hasMessageContaining("cycle");
    }

    @Test
    void importFromItselfIsRefused() {
        assertThatThrownBy(() ->
                        start(account("A", List.of(stream("a")), List.of(take(ShareKind.STREAM, "A", "a", "b")))))
                .isInstanceOf(AuthConfigException.class)
                .hasMessageContaining("itself");
    }

    @Test
    void reloadTakesImportsAwayAndBringsThemBack() throws Exception {
        AccountConfig a = account("A", List.of(stream("s.>")), List.of());
        AccountConfig with = account("B", List.of(), List.of(take(ShareKind.STREAM, "A", "s.>", null)));
        AccountConfig without = account("B", List.of(), List.of());
        start(a, with);
        try (TestingWire from = as("A");
                TestingWire to = as("B")) {
            to.send("SUB s.> 1");
            to.flush();
            broker.access().reload(config(a, without));
            from.publish("s.1", "", "1");
            from.flush();
            assertThat(to.isQuiet()).isTrue();

            broker.access().reload(config(a, with));
            from.publish("s.2", "", "2");
            from.flush();
            assertThat(to.message().payload()).isEqualTo("2");
        }
    }
}
