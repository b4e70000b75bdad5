package io.penstock.controlplane.bootstrap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.signup.SignupRepository;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Background;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * The saga of the first sign-in: organisation, project, account, signing-key group, broker. Its progress is stored after each step;
 * whoever finds it unfinished and due goes on where it stopped, on any node and after any crash.
 */
@ApplicationScoped
public class Bootstraps {
    private static final Logger LOG = Logger.getLogger(Bootstraps.class);
    /** A saga whose runner died is taken up after this time. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final int BATCH = 10;
    /** Hibernate's value for "leave out what others hold". */
    private static final int SKIP_LOCKED = -2;

    private static final TypeReference<List<BootstrapView.Step>> STEPS = new TypeReference<>() {};

    @Inject
    Tenancy tenancy;

    @Inject
    BootstrapRepository sagas;

    @Inject
    BootstrapSteps steps;

    @Inject
    Organizations organizations;

    @Inject
    SignupRepository signups;

    @Inject
    EntityManager database;

    @Inject
    ObjectMapper json;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    @Inject
    Background background;

    /** Starts the saga unless the person has one or belongs to an organisation already. */
    public void start(Principal who) {
        if (find(who) != null || !organizations.memberships(who).isEmpty()) {
            return;
        }
        String name = tenancy.anonymous(() -> signups.verified(who.sub())
                .map(signup -> signup.organizationName)
                .orElse(null));
        BootstrapEntity plan = new BootstrapEntity();
        plan.userId = who.userId();
        plan.orgId = ids.next("org");
        plan.projectId = ids.next("proj");
        plan.accountId = ids.next("acct");
        plan.groupId = ids.next("skg");
        plan.orgName = name == null || name.isBlank() ? who.email().replaceAll("@.*", "") : name;
        plan.state = "running";
        plan.steps = write(Arrays.stream(BootstrapStep.values())
                .map(step -> new BootstrapView.Step(step.code(), "pending", null))
                .toList());
        plan.dueAt = clock.instant().plus(LEASE);
        try {
            tenancy.asUser(who, () -> {
                sagas.persistAndFlush(plan);
                return null;
            });
        } catch (ProblemException twice) {
            if (twice.code() == ErrorCode.ALREADY_EXISTS) {
                return;
            }
            throw twice;
        }
        background.run("set-up", () -> advance(plan, who));
    }

    public BootstrapView view(Principal who) {
        start(who);
        BootstrapEntity saga = find(who);
        if (saga == null) {
            return new BootstrapView("ready", List.of(), null, null, null, null);
        }
        List<BootstrapView.Step> list = read(saga.steps);
        return new BootstrapView(
                saga.state,
                list,
                done(list, BootstrapStep.ORGANIZATION) ? saga.orgId : null,
                done(list, BootstrapStep.PROJECT) ? saga.projectId : null,
                done(list, BootstrapStep.ACCOUNT) ? saga.accountId : null,
                done(list, BootstrapStep.SIGNING_KEY_GROUP) ? saga.groupId : null);
    }

    @Scheduled(every = "${penstock.bootstrap.every:1s}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void resume() {
        for (BootstrapEntity saga : tenancy.worker(this::take)) {
            Principal who = tenancy.asSubject("", saga.userId, () -> {
                Object[] row =
                        (Object[]) database.createNativeQuery("select sub, email, name from app_user where id = ?1")
                                .setParameter(1, saga.userId)
                                .getSingleResult();
                return new Principal(saga.userId, (String) row[0], (String) row[1], (String) row[2]);
            });
            advance(saga, who);
        }
    }

    private List<BootstrapEntity> take() {
        Instant now = clock.instant();
        List<BootstrapEntity> due = sagas.find("state <> 'ready' and dueAt <= ?1 order by dueAt", now)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .withHint("jakarta.persistence.lock.timeout", SKIP_LOCKED)
                .page(0, BATCH)
                .list();
        due.forEach(saga -> saga.dueAt = now.plus(LEASE));
        return due;
    }

    /** Runs the steps that are left. Only the holder of the lease comes here. */
    private void advance(BootstrapEntity saga, Principal who) {
        List<BootstrapView.Step> list = new ArrayList<>(read(saga.steps));
        for (BootstrapStep step : BootstrapStep.values()) {
            int at = indexOf(list, step);
            if ("succeeded".equals(list.get(at).state())) {
                continue;
            }
            list.set(at, new BootstrapView.Step(step.code(), "running", null));
            keep(saga, list, "running", LEASE, 0);
            try {
                if (!steps.run(step, saga, who)) {
                    keep(saga, list, "running", POLL, 0);
                    return;
                }
            } catch (RuntimeException failed) {
                LOG.errorf(failed, "set-up of %s stops at %s", saga.orgId, step.code());
                String code = failed instanceof ProblemException problem
                        ? problem.code().code()
                        : "unavailable";
                list.set(at, new BootstrapView.Step(step.code(), "failed", code));
                keep(saga, list, "failed", Duration.ofSeconds(1L << Math.min(6, saga.attempts)), 1);
                return;
            }
            list.set(at, new BootstrapView.Step(step.code(), "succeeded", null));
        }
        keep(saga, list, "ready", LEASE, 0);
    }

    private void keep(BootstrapEntity saga, List<BootstrapView.Step> list, String state, Duration due, int failures) {
        tenancy.worker(() -> {
            BootstrapEntity row = sagas.findById(saga.userId);
            row.steps = write(list);
            row.state = state;
            row.attempts += failures;
            row.dueAt = clock.instant().plus(due);
            return null;
        });
    }

    private BootstrapEntity find(Principal who) {
        return tenancy.asUser(who, () -> sagas.findById(who.userId()));
    }

    private static int indexOf(List<BootstrapView.Step> list, BootstrapStep step) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).name().equals(step.code())) {
                return i;
            }
        }
        throw new IllegalStateException("the stored steps lack " + step.code());
    }

    private static boolean done(List<BootstrapView.Step> list, BootstrapStep step) {
        return "succeeded".equals(list.get(indexOf(list, step)).state());
    }

    private List<BootstrapView.Step> read(String text) {
        try {
            return json.readValue(text, STEPS);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("stored steps cannot be read", damaged);
        }
    }

    private String write(List<BootstrapView.Step> list) {
        try {
            return json.writeValueAsString(list);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
