package io.penstock.jetstream.backup;

/**
 * One entry of an archive.
 *
 * @param name {@code state.json}, {@code consumers/} and a name, a message's subject, or empty at the end; wire bytes
 * @param timestampNanos a message's time, else the time of the backup
 * @param sequence a message's sequence, else 0
 * @param headersLength how many bytes of the body are headers
 */
record ArchiveEntry(String name, long timestampNanos, long sequence, int headersLength, byte[] body) {
    static final String STATE = "state.json";
    static final String CONSUMERS = "consumers/";
    static final ArchiveEntry END = new ArchiveEntry("", 0, 0, 0, new byte[0]);

    boolean isEnd() {
        return sequence == 0 && name.isEmpty() && timestampNanos == 0 && body.length == 0;
    }
}
