package io.penstock.controlplane.web;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads `page[size]` and `page[after]`, and makes pages with signed cursors. */
@ApplicationScoped
public class Paging {
    /** Rows of a page without `page[size]`. */
    public static final int DEFAULT_SIZE = 50;
    /** Most rows of a page. */
    public static final int MAX_SIZE = 500;

    @Inject
    Secrets secrets;

    @Inject
    RequestInfo request;

    /** What a list is asked for. `after` is the position of the last row seen, or null at the start. */
    public record Window(String list, int size, String after) {}

    /** A page of rows. */
    public record Page<T>(List<T> data, Links page) {}

    /** Cursors around a page. */
    public record Links(String next, String prev, int size) {}

    public Window window(UriInfo uri) {
        return window(uri, MAX_SIZE);
    }

    public Window window(UriInfo uri, int maxSize) {
        Map<String, List<String>> query = uri.getQueryParameters();
        int size = Math.min(DEFAULT_SIZE, maxSize);
        String wanted = first(query, "page[size]");
        if (wanted != null) {
            try {
                size = Integer.parseInt(wanted);
            } catch (NumberFormatException notANumber) {
                throw ProblemException.invalidQuery("page[size]", "must be a number");
            }
            if (size < 1 || size > maxSize) {
                throw ProblemException.invalidQuery("page[size]", "must be from 1 to " + maxSize);
            }
        }
        Map<String, List<String>> identity = new TreeMap<>(query);
        identity.remove("page[size]");
        identity.remove("page[after]");
        String list =
                request.path() + "?" + identity + "#" + request.principal().userId();
        String cursor = first(query, "page[after]");
        return new Window(list, size, cursor == null ? null : secrets.cursors().open(list, cursor));
    }

    /** Makes a page of at most `window.size` of the rows; one row more than that proves that there is a next page. */
    public <R, T> Page<T> page(
            Window window, List<R> rows, Function<? super R, String> position, Function<? super R, T> view) {
        boolean more = rows.size() > window.size();
        List<R> shown = more ? rows.subList(0, window.size()) : rows;
        String next = more ? secrets.cursors().seal(window.list(), position.apply(shown.getLast())) : null;
        return new Page<>(List.copyOf(shown.stream().<T>map(view).toList()), new Links(next, null, window.size()));
    }

    /** A page whose next position is known otherwise; null ends the list. */
    public <T> Page<T> page(Window window, List<T> rows, String nextPosition) {
        String next = nextPosition == null ? null : secrets.cursors().seal(window.list(), nextPosition);
        return new Page<>(rows, new Links(next, null, window.size()));
    }

    /** The part of a list that is in memory and sorted by `position`. */
    public <T> Page<T> slice(Window window, List<T> sorted, Function<? super T, String> position) {
        List<T> rest = window.after() == null
                ? sorted
                : sorted.stream()
                        .filter(row -> position.apply(row).compareTo(window.after()) > 0)
                        .toList();
        return page(window, rest, position, row -> row);
    }

    private static String first(Map<String, List<String>> query, String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }
}
