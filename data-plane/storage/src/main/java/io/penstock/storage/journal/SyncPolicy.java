package io.penstock.storage.journal;

/** When an append counts as done. */
public enum SyncPolicy {
    /** Once the disk has it: every batch is forced before its waiters are told. */
    ALWAYS,
    /** Once the operating system has it; forced at intervals. Survives a killed process, not a loss of power. */
    INTERVAL
}
