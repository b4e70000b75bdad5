package io.penstock.accountservice.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.RevocationEvent;
import io.penstock.accountservice.store.Revocations;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * A second copy of the revocation log, outside the database: one JSON object a line, forced to disk.
 *
 * <p>A database restored from an older backup has forgotten the latest revocations. At start they are taken from here, so that
 * a restore does not let revoked users back in.
 */
@ApplicationScoped
public class RevocationJournal {
    private static final Logger LOG = Logger.getLogger(RevocationJournal.class);

    private final Path file;
    private final Accounts accounts;
    private final Revocations revocations;
    private final ObjectMapper json;

    RevocationJournal(ServiceConfig config, Accounts accounts, Revocations revocations, ObjectMapper json) {
        this.file = config.keystore()
                .revocationJournal()
                .orElse(config.keystore().dir().resolve("revocations.log"));
        this.accounts = accounts;
        this.revocations = revocations;
        this.json = json;
    }

    /** A line of the file. */
    private record Entry(
            String accountId,
            String userPublicKey,
            RevocationEvent.Kind kind,
            long revokedAt,
            String reason,
            String actor,
            Instant createdAt) {

        static Entry of(RevocationEvent event) {
            return new Entry(
                    event.accountId,
                    event.userPublicKey,
                    event.kind,
                    event.revokedAt,
                    event.reason,
                    event.actor,
                    event.createdAt);
        }

        RevocationEvent toEvent() {
            RevocationEvent event = new RevocationEvent();
            event.accountId = accountId;
            event.userPublicKey = userPublicKey;
            event.kind = kind;
            event.revokedAt = revokedAt;
            event.reason = reason;
            event.actor = actor;
            event.createdAt = createdAt;
            return event;
        }
    }

    /** Notes an entry that the database has. */
    void append(RevocationEvent event) {
        write(List.of(Entry.of(event)));
    }

    /** Makes both copies equal; returns how many entries the database had lost. Runs at start. */
    public int reconcile() {
        List<Entry> here = read();
        int restored = QuarkusTransaction.requiringNew().call(() -> {
            Set<Entry> there = new HashSet<>();
            revocations.listAll().forEach(event -> there.add(Entry.of(event)));
            List<Entry> lost =
                    here.stream().filter(entry -> !there.contains(entry)).toList();
            lost.forEach(this::restore);
            there.removeAll(new HashSet<>(here));
            write(new ArrayList<>(there));
            return lost.size();
        });
        if (restored > 0) {
            LOG.warnf("the database had lost %d revocations, as after a restore; they are in force again", restored);
        }
        return restored;
    }

    private void restore(Entry entry) {
        AccountEntity account = accounts.lock(entry.accountId()).orElse(null);
        if (account == null) {
            LOG.warnf("a revocation in %s is of account %s, which the database does not know", file, entry.accountId());
            return;
        }
        revocations.persist(entry.toEvent());
        account.revision++;
    }

    private List<Entry> read() {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<Entry> entries = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                Entry entry = parse(line);
                if (entry != null) {
                    entries.add(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the revocation journal " + file + " cannot be read", e);
        }
        return entries;
    }

    /** A line cut off by a crash was never acknowledged from here: the database has it. */
    private Entry parse(String line) {
        try {
            return line.isBlank() ? null : json.readValue(line, Entry.class);
        } catch (JsonProcessingException e) {
            LOG.warnf("skipped a damaged line of %s", file);
            return null;
        }
    }

    private synchronized void write(List<Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        StringBuilder lines = new StringBuilder();
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            if (!endsWithLine(channel)) {
                lines.append('\n');
            }
            for (Entry entry : entries) {
                lines.append(json.writeValueAsString(entry)).append('\n');
            }
            ByteBuffer buffer = StandardCharsets.UTF_8.encode(lines.toString());
            long position = channel.size();
            while (buffer.hasRemaining()) {
                position += channel.write(buffer, position);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException("the revocation journal " + file + " cannot be written", e);
        }
    }

    private static boolean endsWithLine(FileChannel channel) throws IOException {
        if (channel.size() == 0) {
            return true;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        int _ = channel.read(last, channel.size() - 1);
        return last.get(0) == '\n';
    }
}
