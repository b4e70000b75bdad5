package io.penstock.consensus.raft;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which groups are on this node's disk: their numbers in the journal, whom they began with, whether they may vote.
 * Thread-safe. A line of text each.
 */
final class GroupTable {
    private static final String FORMAT = "penstock groups 1";

    /** Numbers below belong to logs with one voter. */
    static final int FIRST_NUMBER = 1000;

    /**
     * A group.
     *
     * @param number its number in the journal, never given twice
     * @param initialVoters whom it began with
     * @param waiting whether it casts no vote: it was made without a past and may have forgotten one
     * @param waitsAbove only what the members are told above this index ends the waiting; -1 while not known
     */
    record Row(String name, int number, List<String> initialVoters, boolean waiting, long waitsAbove) {
        private String encode() {
            String voters = initialVoters.stream().map(PeerNames::encode).collect(Collectors.joining(","));
            return name + " " + number + " " + (waiting ? "waiting" : "voting") + " " + waitsAbove + " " + voters;
        }

        private static Row decode(String line) {
            String[] parts = line.split(" ", -1);
            List<String> voters = parts[4].isEmpty()
                    ? List.of()
                    : List.of(parts[4].split(",")).stream()
                            .map(PeerNames::decode)
                            .toList();
            return new Row(
                    parts[0], Integer.parseInt(parts[1]), voters, parts[2].equals("waiting"), Long.parseLong(parts[3]));
        }
    }

    private final SmallFile file;

    /** Guarded by this, as all below. */
    private final Map<String, Row> rows = new TreeMap<>();

    private int nextNumber = FIRST_NUMBER;

    /** @throws StorageException when the table cannot be read */
    GroupTable(Disk disk, Path directory) {
        Path path = directory.resolve("groups");
        this.file = new SmallFile(disk, path);
        try {
            disk.createDirectories(directory);
            byte[] content = file.read();
            if (content != null) {
                parse(new String(content, StandardCharsets.UTF_8), path);
            }
        } catch (IOException e) {
            throw new StorageException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    private void parse(String text, Path path) {
        String[] lines = text.split("\n");
        if (!lines[0].equals(FORMAT)) {
            throw new CorruptRecordException(
                    path.toString(), 0, "format '" + lines[0] + "' is not one this version reads");
        }
        nextNumber = Integer.parseInt(lines[1]);
        for (int i = 2; i < lines.length; i++) {
            Row row = Row.decode(lines[i]);
            rows.put(row.name, row);
        }
    }

    synchronized List<String> names() {
        return List.copyOf(rows.keySet());
    }

    synchronized Row find(String name) {
        return rows.get(name);
    }

    synchronized Row add(String name, List<String> initialVoters) {
        Row row = new Row(name, nextNumber, List.copyOf(initialVoters), initialVoters.isEmpty(), -1);
        nextNumber++;
        put(row);
        return row;
    }

    synchronized void put(Row row) {
        Row before = rows.put(row.name, row);
        try {
            write();
        } catch (StorageException e) {
            if (before == null) {
                rows.remove(row.name);
            } else {
                rows.put(row.name, before);
            }
            throw e;
        }
    }

    synchronized void remove(String name) {
        if (rows.remove(name) != null) {
            write();
        }
    }

    /** These groups are made anew, without a past, under numbers that were never given. */
    synchronized void forget(List<String> names) {
        for (String name : names) {
            rows.put(name, new Row(name, nextNumber, List.of(), true, -1));
            nextNumber++;
        }
        if (!names.isEmpty()) {
            write();
        }
    }

    private void write() {
        List<String> lines = new ArrayList<>(List.of(FORMAT, String.valueOf(nextNumber)));
        rows.values().forEach(row -> lines.add(row.encode()));
        try {
            file.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new StorageException("cannot write the table of groups: " + e.getMessage(), e);
        }
    }
}
