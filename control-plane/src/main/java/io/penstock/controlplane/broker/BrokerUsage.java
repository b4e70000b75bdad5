package io.penstock.controlplane.broker;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import org.jboss.logging.Logger;

/** What an account uses now, asked of the broker. */
@ApplicationScoped
public class BrokerUsage {
    private static final Logger LOG = Logger.getLogger(BrokerUsage.class);

    @Inject
    JetStream jetStream;

    @Inject
    Broker broker;

    /** Numbers of one account; `connections` is null where the broker does not tell. */
    public record AccountUsage(long streams, long consumers, long storageBytes, long memoryBytes, Long connections) {}

    /** Empty when the broker cannot be asked. */
    public Optional<AccountUsage> of(String accountId) {
        try {
            JsonNode info = jetStream.call(accountId, "INFO", null);
            return Optional.of(new AccountUsage(
                    info.path("streams").asLong(),
                    info.path("consumers").asLong(),
                    info.path("storage").asLong(),
                    info.path("memory").asLong(),
                    broker.connections(accountId).orElse(null)));
        } catch (RuntimeException unreachable) {
            LOG.debugf("usage of %s is unknown: %s", accountId, unreachable.toString());
            return Optional.empty();
        }
    }

    public Optional<String> serverVersion() {
        return broker.serverVersion();
    }
}
