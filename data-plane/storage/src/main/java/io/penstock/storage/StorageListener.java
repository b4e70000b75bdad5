package io.penstock.storage;

/** Hears of what goes wrong with files, for logs, metrics and alarms. Any thread; must not block. */
public interface StorageListener {
    /** Bytes do not carry their checksum, or a file is missing or too short. */
    void damaged(String file, long offset, String detail);

    /** The disk refused a write or a force. */
    void writeFailed(String file, Exception cause);

    /** Something unknown was moved out of the way or left alone. */
    void unknown(String file, String detail);
}
