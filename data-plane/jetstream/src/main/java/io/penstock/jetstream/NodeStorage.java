package io.penstock.jetstream;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.jetstream.runtime.Parts;
import io.penstock.storage.StoreFactory;

/**
 * What a placement group runs on.
 *
 * @param loop runs the group
 * @param log carries its records
 * @param stores hold its streams
 * @param parts takes checkpoints
 * @param closer flushes and releases everything, once the group has stopped
 */
record NodeStorage(GroupLoop loop, ReplicatedLog log, StoreFactory stores, Parts parts, AutoCloseable closer) {}
