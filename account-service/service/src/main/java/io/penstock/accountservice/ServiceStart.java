package io.penstock.accountservice;

import io.penstock.accountservice.account.RevocationJournal;
import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.issue.ConnectionEvidence;
import io.penstock.accountservice.operator.OperatorBootstrap;
import io.penstock.accountservice.sync.Reconciler;
import io.penstock.accountservice.sync.SystemConnection;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import org.jboss.logging.Logger;

/** What happens at start, in this order: keys and files, what a restored database forgot, the nodes, the rounds. */
@ApplicationScoped
class ServiceStart {
    private static final Logger LOG = Logger.getLogger(ServiceStart.class);

    private final OperatorBootstrap bootstrap;
    private final RevocationJournal revocations;
    private final AuditLog audit;
    private final SystemConnection connection;
    private final Reconciler reconciler;
    private final ConnectionEvidence evidence;

    ServiceStart(
            OperatorBootstrap bootstrap,
            RevocationJournal revocations,
            AuditLog audit,
            SystemConnection connection,
            Reconciler reconciler,
            ConnectionEvidence evidence) {
        this.bootstrap = bootstrap;
        this.revocations = revocations;
        this.audit = audit;
        this.connection = connection;
        this.reconciler = reconciler;
        this.evidence = evidence;
    }

    void start(@Observes StartupEvent event) {
        bootstrap.run();
        int _ = revocations.reconcile();
        evidence.start();
        connection.start(reconciler::compareAll, message -> evidence.accept(message.getSubject(), message.getData()));
        reconciler.start();
        Thread.ofVirtual().name("audit-check").start(this::checkAudit);
    }

    private void checkAudit() {
        Optional<String> broken = QuarkusTransaction.requiringNew().call(audit::firstBreak);
        broken.ifPresent(what -> LOG.errorf("the audit chain is broken: %s", what));
    }
}
