package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.PostgresResource;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingBroker;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.persistence.EntityManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls whose answer got lost: between the broker and us, or between us and the client. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class RepeatTest extends ApiTest {
    /** More late answers than the control plane waits for in one call. */
    private static final int TOO_LATE = 4;

    private final TestingBroker broker = bean(TestingBroker.class);
    private final Tenancy tenancy = bean(Tenancy.class);
    private final EntityManager database = bean(EntityManager.class);

    @AfterEach
    void answerInTime() {
        broker.answerLate(0);
    }

    @Test
    void lateAnswerOfTheBrokerIsAskedForAgain() {
        Tenant tenant = Tenant.signedUp(base, "late");
        broker.answerLate(2);
        Answer made = tenant.api().post(tenant.accountPath() + "/kv", Map.of("name", "B"));
        assertThat(made.status()).as(String.valueOf(made.body())).isEqualTo(201);
        broker.answerLate(2);
        Answer stream =
                tenant.api().post(tenant.accountPath() + "/streams", Map.of("name", "S", "subjects", List.of("s")));
        assertThat(stream.status()).isEqualTo(201);
        broker.answerLate(2);
        Answer consumer = tenant.api().post(tenant.accountPath() + "/streams/S/consumers", Map.of("name", "c"));
        assertThat(consumer.status()).as(String.valueOf(consumer.body())).isEqualTo(201);
    }

    @Test
    void repeatWithTheSameKeyGetsWhatTheFirstCallMadeThoughThatFailed() {
        Tenant tenant = Tenant.signedUp(base, "again");
        String streams = tenant.accountPath() + "/streams";
        assertGoesOn(tenant, tenant.accountPath() + "/kv", Map.of("name", "B"));
        assertGoesOn(tenant, tenant.accountPath() + "/objects", Map.of("name", "O"));
        assertGoesOn(tenant, streams, Map.of("name", "S", "subjects", List.of("s")));
        assertGoesOn(tenant, streams + "/S/consumers", Map.of("name", "c"));
    }

    private void assertGoesOn(Tenant tenant, String path, Map<String, Object> body) {
        broker.answerLate(TOO_LATE);
        Answer first = tenant.api().post(path, body, "Idempotency-Key", "k");
        assertThat(first.code()).as(path).isEqualTo("broker_timeout");
        assertThat(tenant.api().post(path, body, "Idempotency-Key", "other").code())
                .as("somebody else's create")
                .isEqualTo("already_exists");
        Answer again = tenant.api().post(path, body, "Idempotency-Key", "k");
        assertThat(again.status()).as(path + " " + again.body()).isEqualTo(201);
        Answer replay = tenant.api().post(path, body, "Idempotency-Key", "k");
        assertThat(replay.body()).isEqualTo(again.body());
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void repeatDoesNotTakeOverWhatWasThereBefore() {
        Tenant tenant = Tenant.signedUp(base, "before");
        String path = tenant.accountPath() + "/streams";
        Map<String, Object> body = Map.of("name", "S", "subjects", List.of("s"));
        assertThat(tenant.api().post(path, body).status()).isEqualTo(201);
        Answer refused = tenant.api().post(path, body, "Idempotency-Key", "k");
        assertThat(refused.code()).isEqualTo("already_exists");
        assertThat(tenant.api().post(path, body, "Idempotency-Key", "k").code()).isEqualTo("already_exists");
    }

    @Test
    void callOfADeadProcessIsGoneOnWithWhenItsLeaseIsOver() throws SQLException {
        Tenant tenant = Tenant.signedUp(base, "dead");
        String path = "/v1/orgs/" + tenant.org() + "/projects";
        Map<String, Object> body = Map.of("name", "p");
        Answer first = tenant.api().post(path, body, "Idempotency-Key", "k");
        assertThat(first.status()).isEqualTo(201);
        // What a process leaves that is killed before its answer, and its change, are kept.
        lease(tenant, "now() + interval '1 hour'");
        PostgresResource.force("delete from project where id = '" + first.text("id") + "'");
        assertThat(tenant.api().post(path, body, "Idempotency-Key", "k").code()).isEqualTo("idempotency_in_progress");
        lease(tenant, "now() - interval '1 second'");
        Answer again = tenant.api().post(path, body, "Idempotency-Key", "k");
        assertThat(again.status()).as(String.valueOf(again.body())).isEqualTo(201);
        assertThat(tenant.api().post(path, body, "Idempotency-Key", "k").text("id"))
                .isEqualTo(again.text("id"));
    }

    @Test
    void transactionThatTheDatabaseUndidRunsAgain() {
        AtomicInteger runs = new AtomicInteger();
        String done = tenancy.anonymous(() -> {
            if (runs.incrementAndGet() < 3) {
                raise("40P01");
            }
            return "done";
        });
        assertThat(done).isEqualTo("done");
        assertThat(runs).hasValue(3);
    }

    @Test
    void deadlockWithoutEndIsAnsweredAsNotAvailableForAMoment() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> tenancy.anonymous(() -> {
                    runs.incrementAndGet();
                    raise("40001");
                    return null;
                }))
                .isInstanceOfSatisfying(ProblemException.class, problem -> {
                    assertThat(problem.code().status()).isEqualTo(503);
                    assertThat(problem.headers()).containsEntry("Retry-After", "1");
                });
        assertThat(runs).hasValueGreaterThan(1);
    }

    private static void lease(Tenant tenant, String until) throws SQLException {
        PostgresResource.force("update idempotency_key set status = null, body = null, lease_until = " + until
                + " where route like '%" + tenant.org() + "%'");
    }

    private void raise(String state) {
        database.createNativeQuery("do $$ begin raise exception using errcode = '" + state + "'; end $$")
                .executeUpdate();
    }
}
