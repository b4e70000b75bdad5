package io.penstock.jetstream.api;

import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.RestoreEnd;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;

/** A node alone takes in a stream from a backup. */
final class RestoredAlone implements RestoreTarget {
    private final StreamChanges changes;
    private final AccountRuntime account;
    private final StreamConfig config;

    RestoredAlone(JetStreamOptions options, StreamChanges changes, AccountRuntime account, StreamConfig given) {
        this.changes = changes;
        this.account = account;
        this.config = changes.rules(account, given, false).check(given);
        if (config.numReplicas() > 1) {
            throw JsError.STREAM_REPLICAS_NOT_SUPPORTED.raise();
        }
    }

    @Override
    public StreamConfig config() {
        return config;
    }

    @Override
    public void check(long bytes) {
        if (account.stream(config.name()) != null) {
            throw JsError.STREAM_NAME_EXIST_RESTORE_FAILED.raise();
        }
        StreamChanges.checkOverlap(account, config.name(), config);
        changes.checkLimits(account, config, 0, true);
        Resources.checkRestore(account, config, bytes);
    }

    @Override
    public void complete(StreamMachine stream, byte[] end, Outcome outcome) {
        Host host = account.host();
        // One configuration changes at a time, so nobody takes the name between the check and the record.
        host.configure(() -> new RestoreEnd(this, outcome, host::configured, () -> {
                    host.engine(Host.SOLO).arrived(stream);
                    host.configured();
                    outcome.done(
                            JetStreamJson.tree(Views.stream(account.stream(config.name()), true, false, null, null)));
                })
                .take(host, stream, end));
    }
}
