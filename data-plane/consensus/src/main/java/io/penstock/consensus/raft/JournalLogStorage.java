package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import io.penstock.storage.journal.JournalEntry;
import io.penstock.storage.journal.JournalGroup;
import io.penstock.storage.journal.JournalReader;
import java.util.ArrayList;
import java.util.List;

/** The engine's log of one group, in the node's journal. */
final class JournalLogStorage implements LogStorage {
    private final JournalGroup log;
    private final DiskPatience disk;
    private final MemberLog members;
    private final Object readLock = new Object();

    /** Guarded by readLock. */
    private JournalReader reader;

    /** The last entry appended, whose term the engine looks up for each append; null when it was cut off. */
    private volatile LogEntry newest;

    JournalLogStorage(JournalGroup log, DiskPatience disk, MemberLog members) {
        this.log = log;
        this.disk = disk;
        this.members = members;
    }

    @Override
    public boolean init(LogStorageOptions options) {
        synchronized (readLock) {
            reader = log.reader();
            long last = log.lastIndex();
            for (long index = log.firstIndex(); index <= last; index++) {
                JournalEntry stored = reader.read(index);
                if (stored.type() == EntryType.ENTRY_TYPE_CONFIGURATION.getNumber()) {
                    LogEntry entry = EntryCodec.fromJournal(stored);
                    options.getConfigurationManager().add(configuration(entry));
                    members.appended(entry);
                }
            }
        }
        return true;
    }

    private static ConfigurationEntry configuration(LogEntry entry) {
        ConfigurationEntry configuration = new ConfigurationEntry();
        configuration.setId(entry.getId().copy());
        configuration.setConf(new Configuration(entry.getPeers(), entry.getLearners()));
        if (entry.getOldPeers() != null) {
            configuration.setOldConf(new Configuration(entry.getOldPeers(), entry.getOldLearners()));
        }
        return configuration;
    }

    @Override
    public void shutdown() {
        disk.close();
    }

    @Override
    public long getFirstLogIndex() {
        return log.firstIndex();
    }

    @Override
    public long getLastLogIndex() {
        return log.lastIndex();
    }

    @Override
    public LogEntry getEntry(long index) {
        LogEntry recent = newest;
        if (recent != null && recent.getId().getIndex() == index && index >= log.firstIndex()) {
            return recent;
        }
        JournalEntry stored;
        synchronized (readLock) {
            stored = reader.read(index);
        }
        return stored == null ? null : EntryCodec.fromJournal(stored);
    }

    @Override
    @Deprecated
    public long getTerm(long index) {
        LogEntry entry = getEntry(index);
        return entry == null ? 0 : entry.getId().getTerm();
    }

    @Override
    public boolean appendEntry(LogEntry entry) {
        return appendEntries(List.of(entry)) == 1;
    }

    @Override
    public int appendEntries(List<LogEntry> entries) {
        List<JournalEntry> appended = new ArrayList<>(entries.size());
        boolean async = true;
        for (LogEntry entry : entries) {
            appended.add(EntryCodec.toJournal(entry));
            async &= EntryCodec.async(entry);
            if (entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION) {
                members.appended(entry);
            }
        }
        boolean durableLater = async;
        boolean done = disk.write(() -> log.appendAndWait(missing(appended), durableLater));
        newest = done ? entries.getLast() : null;
        return done ? entries.size() : 0;
    }

    /** What a try before this one has not brought into the log. */
    private List<JournalEntry> missing(List<JournalEntry> entries) {
        long last = log.lastIndex();
        if (entries.getFirst().index() > last) {
            return entries;
        }
        return entries.stream().filter(entry -> entry.index() > last).toList();
    }

    @Override
    public boolean truncatePrefix(long firstIndexKept) {
        members.truncatePrefix(firstIndexKept);
        return disk.write(() -> log.truncatePrefix(firstIndexKept));
    }

    @Override
    public boolean truncateSuffix(long lastIndexKept) {
        newest = null;
        members.truncateSuffix(lastIndexKept);
        return disk.write(() -> log.truncateSuffix(lastIndexKept));
    }

    @Override
    public boolean reset(long nextLogIndex) {
        newest = null;
        return disk.write(() -> log.reset(nextLogIndex));
    }
}
