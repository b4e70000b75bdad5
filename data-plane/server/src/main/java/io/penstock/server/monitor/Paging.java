package io.penstock.server.monitor;

import java.util.List;

/**
 * The part of a list that is shown.
 *
 * @param limit 1,024 unless asked otherwise; 0 stands for that too
 */
record Paging(int offset, int limit) {
    static final int DEFAULT_LIMIT = 1024;

    static Paging of(Query query) throws PageException {
        int offset = Math.clamp(query.whole("offset", "offset", 0), 0, Integer.MAX_VALUE);
        int limit = Math.clamp(query.whole("limit", "limit", 0), 0, Integer.MAX_VALUE);
        return new Paging(offset, limit == 0 ? DEFAULT_LIMIT : limit);
    }

    <T> List<T> slice(List<T> all) {
        int start = Math.min(offset, all.size());
        int end = (int) Math.min((long) start + limit, all.size());
        return all.subList(start, end);
    }
}
