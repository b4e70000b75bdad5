package io.penstock.jetstream.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests that wait for the loop, those for information behind the others. A queue that overflows is dropped whole:
 * its clients have given up long before, and answering them would only delay the next ones. Any thread adds.
 */
final class ApiQueue {
    private final ConcurrentLinkedQueue<ApiCall> requests = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ApiCall> infos = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requestCount = new AtomicInteger();
    private final AtomicInteger infoCount = new AtomicInteger();
    private final int requestLimit;
    private final int infoLimit;

    ApiQueue(int requestLimit, int infoLimit) {
        this.requestLimit = requestLimit;
        this.infoLimit = infoLimit;
    }

    /** Adds a request; answers how many were dropped because there were too many, usually 0. */
    int add(ApiCall call) {
        boolean info = isInfo(call.subject());
        AtomicInteger count = info ? infoCount : requestCount;
        ConcurrentLinkedQueue<ApiCall> queue = info ? infos : requests;
        queue.add(call);
        if (count.incrementAndGet() <= (info ? infoLimit : requestLimit)) {
            return 0;
        }
        int dropped = 0;
        while (queue.poll() != null) {
            count.decrementAndGet();
            dropped++;
        }
        return dropped;
    }

    /** The next request, or null. */
    ApiCall poll() {
        ApiCall call = requests.poll();
        if (call != null) {
            requestCount.decrementAndGet();
            return call;
        }
        call = infos.poll();
        if (call != null) {
            infoCount.decrementAndGet();
        }
        return call;
    }

    int size() {
        return requestCount.get() + infoCount.get();
    }

    private static boolean isInfo(String subject) {
        return subject.equals("$JS.API.INFO")
                || subject.startsWith("$JS.API.STREAM.INFO.")
                || subject.startsWith("$JS.API.STREAM.LIST")
                || subject.startsWith("$JS.API.STREAM.NAMES")
                || subject.startsWith("$JS.API.CONSUMER.INFO.")
                || subject.startsWith("$JS.API.CONSUMER.LIST.")
                || subject.startsWith("$JS.API.CONSUMER.NAMES.");
    }
}
