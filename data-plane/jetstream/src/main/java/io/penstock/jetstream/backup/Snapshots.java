package io.penstock.jetstream.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamStateInfo;
import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Begins backups: what a stream holds is frozen in one turn of the loop, messages and consumers alike. */
public final class Snapshots {
    private static final String CREATED = "SNAPSHOT_CREATE";
    private static final String COMPLETE = "SNAPSHOT_COMPLETE";

    private final Sessions sessions;

    public Snapshots(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Begins a backup.
     *
     * @param show how the frozen state with a number of consumers is shown
     * @param answer sends the answer, which comes before the first chunk
     * @throws io.penstock.protocol.jetstream.JsException when there are too many
     */
    public void begin(
            ApiCall call,
            StreamRuntime stream,
            SnapshotRequest request,
            BiFunction<FrozenMessages, Integer, StreamStateInfo> show,
            Consumer<StreamStateInfo> answer) {
        AccountRuntime account = call.account();
        if (!sessions.enter(account)) {
            throw JsError.STREAM_SNAPSHOT.raise(Sessions.tooMany());
        }
        StreamMachine machine = stream.machine();
        String name = machine.config().name();
        long now = account.host().loop().now();
        FrozenMessages frozen;
        try {
            frozen = machine.store().freeze();
        } catch (StorageException e) {
            sessions.leave(account);
            throw JsError.STREAM_SNAPSHOT.raise(e.getMessage());
        }
        List<ArchiveEntry> head = new ArrayList<>();
        int consumers = request.noConsumers() ? 0 : machine.consumers().size();
        byte[] state = JetStreamJson.write(show.apply(frozen, consumers));
        head.add(new ArchiveEntry(ArchiveEntry.STATE, now, 0, 0, state));
        if (!request.noConsumers()) {
            machine.consumers().forEach(c -> head.add(ConsumerEntry.write(known(stream, c), now)));
        }
        StreamStateInfo shown = show.apply(frozen, machine.consumers().size());
        answer.accept(shown);
        ObjectNode begun = JetStreamJson.object();
        begun.set("state", JetStreamJson.tree(shown));
        account.advisories().backup(CREATED, name, begun, call.origin());
        new SnapshotRun(account, name, request, frozen, head).start(failure -> {
            sessions.leave(account);
            ObjectNode ended = JetStreamJson.object();
            ended.put("start", GoTime.format(now));
            ended.put("end", GoTime.format(account.host().loop().now()));
            if (failure != null) {
                ended.put("error", failure);
            }
            account.advisories().backup(COMPLETE, name, ended, call.origin());
        });
    }

    /** What the log knows of a consumer; of one that is not kept there, what the leader knows. */
    private static ConsumerState known(StreamRuntime stream, ConsumerState committed) {
        if (stream.machine().tracks(committed)) {
            return committed;
        }
        ConsumerState live = stream.consumer(committed.name()).live().copy();
        var loop = stream.engine().loop();
        live.pending().shiftDeadlines(loop.now() - loop.steady());
        return live;
    }
}
