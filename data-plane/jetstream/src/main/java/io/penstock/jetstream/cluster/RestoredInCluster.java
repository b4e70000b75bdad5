package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.RestoreEnd;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StreamConfig;
import java.time.Duration;
import java.util.List;

/**
 * A cluster takes in a stream from a backup. The metadata's leader gathers it in the log only that node has, unknown to
 * the metadata. Once it is whole the metadata takes it in as a stream of that node, and it moves to its group as any other
 * stream does. Owned by the loop.
 */
final class RestoredInCluster implements RestoreTarget {
    private static final long LOOK_NANOS = 100_000_000L;
    private static final long PATIENCE_NANOS = Duration.ofMinutes(30).toNanos();

    private final Host host;
    private final MetaMachine machine;
    private final StreamGroups placing;
    private final StreamApi api;
    private final AccountRuntime account;
    private final StreamConfig config;

    RestoredInCluster(
            Host host,
            MetaMachine machine,
            StreamGroups placing,
            StreamApi api,
            AccountRuntime account,
            StreamConfig asked) {
        this.host = host;
        this.machine = machine;
        this.placing = placing;
        this.api = api;
        this.account = account;
        this.config = api.rules(account, asked, false).check(asked);
    }

    @Override
    public StreamConfig config() {
        return config;
    }

    @Override
    public StreamConfig localConfig() {
        return config.toBuilder().numReplicas(1).placement(null).build();
    }

    @Override
    public void check(long bytes) {
        if (!machine.leading()) {
            throw JsError.CLUSTER_NOT_AVAIL.raise();
        }
        if (machine.state().stream(account.name(), config.name()) != null) {
            throw JsError.STREAM_NAME_EXIST_RESTORE_FAILED.raise();
        }
        api.overlap(account.name(), config);
        new Usages(machine.state()).check(account, config, null);
        Resources.checkRestore(account, config, bytes);
        placing.find(config);
    }

    @Override
    public void complete(StreamMachine stream, byte[] end, Outcome outcome) {
        // Changes of an account come one after the other, so nobody takes the name meanwhile.
        Runnable free = () -> api.done(account.name());
        api.serially(
                account.name(),
                () -> new RestoreEnd(this, outcome, free, () -> takeIn(outcome)).take(host, stream, end));
    }

    private static JsException notTaken() {
        return JsError.STREAM_RESTORE.raise("the cluster's metadata changed meanwhile");
    }

    private void takeIn(Outcome outcome) {
        String solo = StreamGroups.solo(host.options().serverName());
        byte[] local = JetStreamJson.write(localConfig());
        MetaRecord record = new MetaRecord.StreamSet(account.name(), config.name(), 0, local, solo, null);
        machine.propose(List.of(record), new MetaMachine.Outcome() {
            @Override
            public void applied(boolean accepted) {
                if (accepted) {
                    send(solo, outcome);
                } else {
                    api.done(account.name());
                    outcome.refused(notTaken().error());
                }
            }

            @Override
            public void failed(Throwable cause) {
                api.done(account.name());
                outcome.unknown(cause);
            }
        });
    }

    /** The stream is one of this node: it goes where its configuration says. */
    private void send(String solo, Outcome outcome) {
        StreamAssignment now = machine.state().stream(account.name(), config.name());
        long until = host.loop().steady() + PATIENCE_NANOS;
        List<MetaRecord> records;
        String group;
        try {
            StreamGroups.Found found = placing.find(config);
            group = config.numReplicas() == 1 && placing.mayStay(solo, config) ? solo : found.group();
            records = group.equals(solo)
                    ? List.of(new MetaRecord.StreamSet(
                            account.name(), config.name(), now.generation(), JetStreamJson.write(config), solo, null))
                    : StreamApi.moving(now, config, found);
        } catch (JsException e) {
            api.done(account.name());
            outcome.unknown(e);
            return;
        }
        machine.propose(records, new MetaMachine.Outcome() {
            @Override
            public void applied(boolean accepted) {
                api.done(account.name());
                look(now.generation(), group, until, outcome);
            }

            @Override
            public void failed(Throwable cause) {
                api.done(account.name());
                outcome.unknown(cause);
            }
        });
    }

    /** Waits until the stream is at work where it belongs. */
    private void look(long generation, String group, long until, Outcome outcome) {
        StreamAssignment now = machine.state().stream(account.name(), config.name());
        if (now == null || now.generation() != generation) {
            outcome.refused(JsError.STREAM_NOT_FOUND.of());
        } else if (host.loop().steady() - until > 0 || account.client() == null) {
            outcome.unknown(new IllegalStateException("the stream is not yet where it should be"));
        } else if (now.target().isEmpty() && now.group().equals(group)) {
            api.gather(account.name(), List.of(config.name()), found -> {
                if (found.get(config.name()) instanceof ObjectNode info) {
                    outcome.done(info);
                } else {
                    again(generation, group, until, outcome);
                }
            });
        } else {
            again(generation, group, until, outcome);
        }
    }

    private void again(long generation, String group, long until, Outcome outcome) {
        host.loop().schedule(LOOK_NANOS, () -> look(generation, group, until, outcome));
    }
}
