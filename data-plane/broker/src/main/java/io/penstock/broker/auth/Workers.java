package io.penstock.broker.auth;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of access control.
 *
 * @param claims one thread, for everything about account JWTs and for what is done from time to time
 * @param authentication a few threads, for signatures and password hashes
 */
record Workers(ScheduledThreadPoolExecutor claims, ExecutorService authentication) implements AutoCloseable {
    static Workers start() {
        ScheduledThreadPoolExecutor claims = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("penstock-claims").factory());
        claims.setRemoveOnCancelPolicy(true);
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        ExecutorService authentication = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("penstock-auth-", 0).factory());
        return new Workers(claims, authentication);
    }

    @Override
    public void close() {
        claims.shutdownNow();
        authentication.shutdownNow();
    }
}
