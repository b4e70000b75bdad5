package io.penstock.broker.engine;

import io.penstock.protocol.SubjectCache;

/** What one lane keeps for one account. Written by the lane's thread alone; others read the counters and may lag. */
final class AccountLane {
    final SubjectCache<Route> routes = new SubjectCache<>();
    long inMessages;
    long inBytes;
    long outMessages;
    long outBytes;
    long lookups;
    long misses;
    long fanoutMax;
}
