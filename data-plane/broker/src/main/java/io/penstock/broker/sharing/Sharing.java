package io.penstock.broker.sharing;

import io.penstock.broker.Account;
import io.penstock.broker.AccountRegistry;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.sharing.ExportConfig.ResponseType;
import io.penstock.protocol.Subjects;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Keeps the interest graphs in step with what accounts declare to share. Declarations may come in any order: an import
 * whose exporter is unknown waits for it. Everything is guarded by the monitor of this object; messages flow past it.
 */
public final class Sharing {
    /**
     * One import and what came of it.
     *
     * @param resolution why it works or does not
     */
    public record ImportState(ImportSpec spec, Resolution resolution) {}

    private static final class Entry {
        final ImportSpec spec;
        Resolution resolution = new Resolution.Missing();
        // Null while the import does not work.
        Wiring wiring;

        Entry(ImportSpec spec) {
            this.spec = spec;
        }

        void disconnect() {
            if (wiring != null) {
                wiring.close();
                wiring = null;
            }
        }
    }

    private final AccountRegistry registry;
    private final RequestInfo requestInfo;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Map<String, SharingSpec> specs = new HashMap<>();
    private final Map<String, List<Entry>> imports = new HashMap<>();
    private final Map<String, ReplyRoutes> replies = new HashMap<>();

    public Sharing(AccountRegistry registry, ServerIdentity server, InstantSource clock, LongSupplier nanoTime) {
        this.registry = registry;
        this.requestInfo = new RequestInfo(server);
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Replaces all that an account shares; imports that stay the same are not disturbed. */
    public synchronized void declare(String account, SharingSpec spec) {
        specs.put(account, spec);
        List<Entry> before = new ArrayList<>(imports.getOrDefault(account, List.of()));
        List<Entry> after = new ArrayList<>();
        for (ImportSpec wanted : spec.imports()) {
            after.add(takeSame(before, wanted));
        }
        before.forEach(Entry::disconnect);
        if (after.isEmpty()) {
            imports.remove(account);
        } else {
            imports.put(account, after);
        }
        after.forEach(entry -> update(account, entry));
        updateImportersOf(account);
    }

    /** Forgets an account; what others import from it stops. */
    public synchronized void withdraw(String account) {
        specs.remove(account);
        List<Entry> own = imports.remove(account);
        if (own != null) {
            own.forEach(Entry::disconnect);
        }
        updateImportersOf(account);
        ReplyRoutes routes = replies.remove(account);
        if (routes != null) {
            routes.close();
        }
    }

    /** The imports of an account in their order. */
    public synchronized List<ImportState> imports(String account) {
        return imports.getOrDefault(account, List.of()).stream()
                .map(entry -> new ImportState(entry.spec, entry.resolution))
                .toList();
    }

    /** The exports of an account in their order. */
    public synchronized List<ExportSpec> exports(String account) {
        return specs.getOrDefault(account, SharingSpec.NONE).exports();
    }

    /** Exporters that somebody imports from and that are not known. */
    public synchronized Set<String> missingExporters() {
        Set<String> missing = new TreeSet<>();
        imports.values()
                .forEach(entries -> entries.stream()
                        .filter(entry -> entry.resolution instanceof Resolution.Missing)
                        .forEach(entry -> missing.add(entry.spec.exporter())));
        return missing;
    }

    /** Ends what has run out by now: activations and ways back of requests. Called about once a second. */
    public synchronized void expire() {
        long now = clock.instant().getEpochSecond();
        imports.forEach((account, entries) -> entries.forEach(entry -> {
            if (entry.resolution instanceof Resolution.Active active
                    && active.expires() > 0
                    && active.expires() < now) {
                update(account, entry);
            }
        }));
        replies.values().forEach(ReplyRoutes::expire);
    }

    private static Entry takeSame(List<Entry> before, ImportSpec wanted) {
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).spec.equals(wanted)) {
                return before.remove(i);
            }
        }
        return new Entry(wanted);
    }

    private void updateImportersOf(String exporter) {
        imports.forEach((account, entries) -> entries.forEach(entry -> {
            if (entry.spec.exporter().equals(exporter)) {
                update(account, entry);
            }
        }));
    }

    private void update(String importer, Entry entry) {
        Instant now = clock.instant();
        Resolution fresh = ImportRules.resolve(importer, entry.spec, specs.get(entry.spec.exporter()), now);
        if (entry.wiring != null && fresh.equals(entry.resolution)) {
            return;
        }
        entry.disconnect();
        if (fresh instanceof Resolution.Active) {
            fresh = refuseIfTangled(importer, entry, fresh);
        }
        entry.resolution = fresh;
        if (fresh instanceof Resolution.Active active) {
            entry.wiring = connect(importer, entry.spec, active.export());
        }
    }

    private Resolution refuseIfTangled(String importer, Entry entry, Resolution fresh) {
        ImportSpec spec = entry.spec;
        for (Entry other : imports.getOrDefault(importer, List.of())) {
            if (other != entry
                    && other.wiring != null
                    && spec.kind() == ShareKind.SERVICE
                    && other.spec.kind() == ShareKind.SERVICE
                    && other.spec.exporter().equals(spec.exporter())
                    && other.spec.path().local().equals(spec.path().local())) {
                return new Resolution.Refused("duplicate service import subject \""
                        + spec.path().local() + "\", previously used in import for account " + spec.exporter());
            }
        }
        Set<String> visited = new HashSet<>(Set.of(importer));
        return leadsBack(spec, spec.exporter(), spec.path().remote(), visited)
                ? new Resolution.Refused("import of \"" + spec.path().remote() + "\" forms a cycle")
                : fresh;
    }

    private boolean leadsBack(ImportSpec spec, String account, String subject, Set<String> visited) {
        if (!visited.add(account)) {
            return true;
        }
        for (Entry next : imports.getOrDefault(account, List.of())) {
            if (next.wiring != null
                    && next.spec.kind() == spec.kind()
                    && Subjects.overlap(subject, next.spec.path().local())
                    && leadsBack(spec, next.spec.exporter(), next.spec.path().remote(), visited)) {
                return true;
            }
        }
        visited.remove(account);
        return false;
    }

    private Wiring connect(String importer, ImportSpec spec, ExportSpec export) {
        Account to = registry.getOrCreate(importer);
        Account from = registry.getOrCreate(spec.exporter());
        if (spec.kind() == ShareKind.STREAM) {
            return StreamImport.wire(to, from, spec.path());
        }
        ReplyRoutes routes = replies.computeIfAbsent(spec.exporter(), _ -> new ReplyRoutes(from, nanoTime));
        // Answers of other kinds have no single end that could be measured.
        boolean measured = export.latency() != null && export.responseType() == ResponseType.SINGLETON;
        LatencyTracker latency =
                measured ? new LatencyTracker(from, export.latency(), requestInfo, clock, nanoTime) : null;
        return ServiceImport.wire(to, from, spec, export, routes, requestInfo, latency);
    }
}
