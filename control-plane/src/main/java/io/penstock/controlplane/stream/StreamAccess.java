package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountAccess;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.JsonSettings;
import io.penstock.controlplane.web.Names;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The way to a stream: rights first, then whether it is deleted, then what the broker says of it. */
@ApplicationScoped
public class StreamAccess {
    /** Replicas of a new stream of a production project; one a zone where there are three zones. */
    @ConfigProperty(name = "penstock.streams.production-replicas", defaultValue = "1")
    int productionReplicas;

    @Inject
    AccountAccess access;

    @Inject
    ProjectRepository projects;

    @Inject
    StreamRecords records;

    @Inject
    JetStream jetStream;

    /** A living stream. */
    public record Found(String account, JsonNode info, boolean deletionProtection) {
        public String name() {
            return info.at("/config/name").asText();
        }

        String etag() {
            return Views.etag(info, deletionProtection);
        }
    }

    /**
     * What is known before a stream is made: the record under its name, whether new ones are protected, and how many
     * replicas they get when nobody says.
     */
    public record Ground(Optional<StreamRecord> record, boolean protects, int replicas) {}

    /** 404 for a name that no stream can have. */
    public static String checked(String name) {
        if (!name.matches(Names.BROKER)) {
            throw ProblemException.notFound();
        }
        return name;
    }

    /** The stream, 410 when it is deleted and can be restored. */
    public Found find(String account, String stream, Permission permission) {
        String name = checked(stream);
        Optional<StreamRecord> record =
                access.require(account, permission, (scope, row) -> records.find(account, name));
        JsonNode info = jetStream.stream(account, name);
        record.filter(one -> one.deleted(info)).ifPresent(one -> {
            throw gone(one);
        });
        return new Found(account, info, record.isPresent() && record.get().deletionProtection());
    }

    /** As {@link #find}, for what needs nothing of the stream but that it is there; asks the broker only where it may be deleted. */
    public void require(String account, String stream, Permission permission) {
        String name = checked(stream);
        Optional<StreamRecord> record =
                access.require(account, permission, (scope, row) -> records.find(account, name));
        if (record.isPresent()
                && record.get().deletedAt() != null
                && record.get().deleted(jetStream.stream(account, name))) {
            throw gone(record.get());
        }
    }

    /** The record of a deleted stream and what the broker says; 404 when there is none, 409 when the stream lives. */
    StreamRecord deleted(String account, String stream, Permission permission) {
        String name = checked(stream);
        Optional<StreamRecord> record =
                access.require(account, permission, (scope, row) -> records.find(account, name));
        JsonNode info = jetStream.stream(account, name);
        return record.filter(one -> one.deleted(info))
                .orElseThrow(() -> ProblemException.of(ErrorCode.STATE_CONFLICT, "It is not deleted."));
    }

    public Ground ground(String account, String name, Permission permission) {
        return access.require(account, permission, (scope, row) -> {
            boolean production = projects.findById(row.projectId).isProduction();
            return new Ground(records.find(account, name), production, production ? productionReplicas : 1);
        });
    }

    /** The living streams of a kind in order of names; with a subject only those that keep it. */
    public List<Found> list(String account, String subject, StreamKind kind, Permission permission) {
        Map<String, StreamRecord> known =
                access.require(account, permission, (scope, row) -> records.ofAccount(account));
        return jetStream.streams(account, subject).stream()
                .filter(info -> kind.holds(info.at("/config/name").asText()))
                .filter(info -> {
                    StreamRecord record = known.get(info.at("/config/name").asText());
                    return record == null || !record.deleted(info);
                })
                .map(info -> {
                    StreamRecord record = known.get(info.at("/config/name").asText());
                    return new Found(account, info, record != null && record.deletionProtection());
                })
                .sorted(Comparator.comparing(Found::name))
                .collect(Collectors.toList());
    }

    static ObjectNode view(Found found) {
        return Views.stream(found.account(), found.info(), found.deletionProtection());
    }

    private static ProblemException gone(StreamRecord record) {
        String path = StreamKind.of(record.name()).path(record.account(), record.name());
        return ProblemException.of(
                        ErrorCode.DELETED_RECOVERABLE,
                        "It is deleted. POST " + path + "/actions/restore brings it back.")
                .param("deleted_at", JsonSettings.format(record.deletedAt()))
                .param("purge_at", JsonSettings.format(record.purgeAt()));
    }
}
