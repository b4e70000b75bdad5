package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.Identity;
import io.penstock.broker.UserLimits;
import io.penstock.broker.permission.Permissions;
import io.penstock.broker.permission.ResponsePermission;
import io.penstock.broker.permission.SubjectPermission;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermissionsWireTest {
    private static Permissions of(SubjectPermission publish, SubjectPermission subscribe) {
        return new Permissions(publish, subscribe, null);
    }

    private static TestingServer start(Permissions permissions) throws Exception {
        return TestingServer.start(
                TestingServer.options().build(),
                broker -> broker.setAuthenticator(new TestingServer.Users(broker, false)
                        .add("u", "A", permissions, UserLimits.UNLIMITED)
                        .add("all", "A", Permissions.ALL, UserLimits.UNLIMITED)));
    }

    @Test
    void tellsWhatIsDenied() throws Exception {
        Permissions permissions = of(
                new SubjectPermission(List.of("ok.>"), List.of("ok.not")),
                new SubjectPermission(List.of("in.>", "w q.*"), List.of("in.secret")));
        try (TestingServer server = start(permissions);
                RawClient client = server.connect("\"user\":\"u\"")) {
            assertThat(client.exchange("PUB ok.a 0\r\n\r\nPUB ok.not 0\r\n\r\nPUB other 0\r\n\r\n"))
                    .isEqualTo("-ERR 'Permissions Violation for Publish to \"ok.not\"'\r\n"
                            + "-ERR 'Permissions Violation for Publish to \"other\"'\r\n");
            assertThat(client.exchange("SUB in.a 1\r\nSUB in.secret 2\r\nSUB > 3\r\nSUB w 4\r\nSUB w q.1 5\r\n"
                            + "SUB w other 6\r\n"))
                    .isEqualTo("-ERR 'Permissions Violation for Subscription to \"in.secret\"'\r\n"
                            + "-ERR 'Permissions Violation for Subscription to \">\"'\r\n"
                            + "-ERR 'Permissions Violation for Subscription to \"w\"'\r\n"
                            + "-ERR 'Permissions Violation for Subscription to \"w\" using queue \"other\"'\r\n");
        }
    }

    @Test
    void keepsDeniedMessagesBackFromWiderSubscriptions() throws Exception {
        Permissions permissions = of(SubjectPermission.ALL, new SubjectPermission(List.of(), List.of("foo.secret.>")));
        try (TestingServer server = start(permissions);
                RawClient client = server.connect("\"user\":\"u\"")) {
            assertThat(client.exchange("SUB foo.> 1\r\nPUB foo.open 1\r\na\r\nPUB foo.secret.x 1\r\nb\r\n"))
                    .isEqualTo("MSG foo.open 1 1\r\na\r\n");
        }
    }

    @Test
    void keepsDeniedSubjectsBackFromReplaysOnOtherSubjects() throws Exception {
        Permissions permissions = of(SubjectPermission.ALL, new SubjectPermission(List.of(), List.of("foo.secret")));
        try (TestingServer server = start(permissions);
                RawClient client = server.connect("\"user\":\"u\"")) {
            assertThat(client.exchange("SUB _INBOX.> 1\r\n")).isEmpty();
            var inside = server.broker.accounts().find("A").internalClient(ConnectionKind.JETSTREAM);
            byte[] none = new byte[0];
            assertThat(inside.deliver("_INBOX.a", "foo.secret", null, none, none))
                    .isFalse();
            assertThat(inside.deliver("_INBOX.a", "foo.open", null, none, none)).isTrue();
            inside.flush();
            assertThat(client.line()).isEqualTo("MSG foo.open 1 0");
        }
    }

    @Test
    void letsResponsesThroughAsOftenAsAllowed() throws Exception {
        Permissions permissions = new Permissions(
                SubjectPermission.ALL, SubjectPermission.ALL, new ResponsePermission(2, Duration.ofMinutes(1)));
        try (TestingServer server = start(permissions);
                RawClient responder = server.connect("\"user\":\"u\"");
                RawClient requester = server.connect("\"user\":\"all\"")) {
            assertThat(responder.exchange("SUB svc 1\r\n")).isEmpty();
            assertThat(requester.exchange("SUB in.* 1\r\nPUB svc in.1 1\r\n?\r\n"))
                    .isEmpty();
            assertThat(responder.until("?\r\n")).isEqualTo("MSG svc 1 in.1 1\r\n");
            assertThat(responder.exchange("PUB in.1 0\r\n\r\nPUB in.1 0\r\n\r\nPUB in.1 0\r\n\r\nPUB in.2 0\r\n\r\n"))
                    .isEqualTo("-ERR 'Permissions Violation for Publish to \"in.1\"'\r\n"
                            + "-ERR 'Permissions Violation for Publish to \"in.2\"'\r\n");
            assertThat(requester.until("MSG in.1 1 0\r\n\r\nMSG in.1 1 0\r\n\r\n"))
                    .isEmpty();
            assertThat(requester.exchange("")).isEmpty();
        }
    }

    @Test
    void appliesChangedPermissionsToLiveConnections() throws Exception {
        try (TestingServer server = start(Permissions.ALL);
                RawClient client = server.connect("\"user\":\"u\"")) {
            assertThat(client.exchange("SUB a.* 1\r\nSUB b q 2\r\n")).isEmpty();
            Connection connection = server.broker.connections().getFirst();

            connection.updatePermissions(of(
                    new SubjectPermission(List.of(), List.of("c")),
                    new SubjectPermission(List.of(), List.of("b", "a.hidden"))));

            assertThat(client.line())
                    .isEqualTo("-ERR 'Permissions Violation for Subscription to \"b\" using queue \"q\" (sid \"2\")'");
            assertThat(client.exchange("PUB a.x 0\r\n\r\nPUB a.hidden 0\r\n\r\nPUB b 0\r\n\r\nPUB c 0\r\n\r\n"))
                    .isEqualTo("MSG a.x 1 0\r\n\r\n-ERR 'Permissions Violation for Publish to \"c\"'\r\n");
        }
    }

    @Test
    void endsConnectionsWhoseIdentityExpires() throws Exception {
        try (TestingServer server = start(Permissions.ALL);
                RawClient client = server.connect("\"user\":\"u\"")) {
            assertThat(client.exchange("")).isEmpty();
            Identity soon = new Identity(
                    "u", null, null, null, null, List.of(), Instant.now().plusMillis(50), Identity.USER_EXPIRED);
            server.broker.connections().getFirst().updateIdentity(soon);
            assertThat(client.untilClosed()).isEqualTo("-ERR 'User Authentication Expired'\r\n");
        }
    }
}
