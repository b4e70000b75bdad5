package io.penstock.accountservice.statement;

import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.Base64;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Lets only requests through that carry a valid statement of the control plane. */
@ApplicationScoped
class StatementFilter {
    private static final Logger LOG = Logger.getLogger(StatementFilter.class);
    private static final String HEADER = "Penstock-Statement";
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD");

    private final StatementVerifier verifier;
    private final ReplayGuard replays;
    private final CurrentStatement current;
    private final Clock clock;

    StatementFilter(ServiceConfig config, CurrentStatement current, Clock clock) {
        ServiceConfig.Statement settings = config.statement();
        this.verifier = new StatementVerifier(
                Base64.getDecoder().decode(settings.secret().strip()), settings.maxAge(), settings.clockSkew());
        this.replays =
                new ReplayGuard(settings.maxAge().plus(settings.clockSkew().multipliedBy(2)));
        this.current = current;
        this.clock = clock;
    }

    @ServerRequestFilter
    void check(ContainerRequestContext context) throws IOException {
        byte[] body = context.hasEntity() ? context.getEntityStream().readAllBytes() : new byte[0];
        context.setEntityStream(new ByteArrayInputStream(body));
        String token = context.getHeaderString(HEADER);
        StatementVerifier.Request request = new StatementVerifier.Request(
                context.getMethod(),
                context.getUriInfo().getRequestUri().getRawPath(),
                context.getUriInfo().getRequestUri().getRawQuery(),
                body);
        try {
            Statement statement = verifier.verify(token, request, clock.instant());
            if (!SAFE_METHODS.contains(request.method()) && !replays.firstUse(token, clock.instant())) {
                throw new StatementRejectedException("statement_replayed", "the statement was used before");
            }
            current.set(statement);
        } catch (StatementRejectedException e) {
            LOG.warnf("refused %s %s: %s", request.method(), request.path(), e.getMessage());
            throw ProblemException.unauthorized(e.code(), e.getMessage());
        }
    }
}
