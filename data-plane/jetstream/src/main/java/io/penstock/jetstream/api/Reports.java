package io.penstock.jetstream.api;

import io.penstock.jetstream.JetStreamStats;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.StreamMachine;
import java.util.ArrayList;
import java.util.List;

/** Gathers the figures of monitoring. Called on the loop. */
public final class Reports {
    private Reports() {}

    /**
     * The figures of this node.
     *
     * @param details whether each account's streams are wanted, too
     */
    public static JetStreamStats stats(Host host, boolean details) {
        List<JetStreamStats.AccountStats> accounts = new ArrayList<>();
        Resources.Usage total = Resources.total(host);
        long messages = 0;
        long bytes = 0;
        long apiTotal = 0;
        long apiErrors = 0;
        long waiting = 0;
        for (AccountRuntime account : host.accounts()) {
            accounts.add(account(account, details));
            for (StreamRuntime stream : account.streams()) {
                messages += stream.machine().store().state().messages();
                bytes += stream.machine().store().state().bytes();
            }
            apiTotal += account.apiTotal();
            apiErrors += account.apiErrors();
            waiting += account.apiWaiting();
        }
        return new JetStreamStats(
                total.memory(),
                total.storage(),
                total.reservedMemory(),
                total.reservedStorage(),
                total.streams(),
                total.consumers(),
                messages,
                bytes,
                apiTotal,
                apiErrors,
                waiting,
                accounts);
    }

    /**
     * The streams this node has a replica of and does not lead, as far as it has applied their logs.
     *
     * @param account only of this account
     */
    public static List<JetStreamStats.StreamStats> replicas(Host host, String account) {
        List<JetStreamStats.StreamStats> all = new ArrayList<>();
        for (Engine engine : host.engines()) {
            if (engine.replicated() && !engine.leading()) {
                for (StreamMachine stream : engine.streams().all()) {
                    if (stream.phase() != Phase.IMPORTING && stream.account().equals(account)) {
                        all.add(replica(engine, stream));
                    }
                }
            }
        }
        return all;
    }

    private static JetStreamStats.StreamStats replica(Engine engine, StreamMachine stream) {
        return new JetStreamStats.StreamStats(
                Views.replica(engine, stream),
                stream.failure(),
                stream.consumers().stream()
                        .map(consumer -> Views.replica(engine, stream, consumer))
                        .toList());
    }

    private static JetStreamStats.AccountStats account(AccountRuntime account, boolean details) {
        Resources.Usage used = Resources.usage(account);
        return new JetStreamStats.AccountStats(
                account.name(),
                used.memory(),
                used.storage(),
                used.reservedMemory(),
                used.reservedStorage(),
                account.apiTotal(),
                account.apiErrors(),
                account.client() != null,
                details ? account.streams().stream().map(Reports::stream).toList() : List.of());
    }

    private static JetStreamStats.StreamStats stream(StreamRuntime stream) {
        return new JetStreamStats.StreamStats(
                Views.stream(stream, true, true, null, null),
                stream.machine().failure(),
                stream.consumers().stream()
                        .map(c -> Views.consumer(stream, c, true))
                        .toList());
    }
}
