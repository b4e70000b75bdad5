package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * What a node tells the others of itself, once a second and when something changed.
 *
 * @param free bytes of file storage it could still reserve
 * @param freeMemory bytes of memory storage it could still reserve
 * @param capacity bytes of file storage it has in all
 * @param haAssets replicated streams and consumers it carries
 * @param streams streams it leads
 * @param accounts accounts in use there
 * @param usage of streams led there, by account and number of replicas
 * @param led groups led there
 * @param leader who leads the metadata as far as it knows, empty when it knows of nobody
 */
record NodeStatus(
        @JsonProperty("name") String name,
        @JsonProperty("incarnation") String incarnation,
        @JsonProperty("free") long free,
        @JsonProperty("free_memory") long freeMemory,
        @JsonProperty("capacity") long capacity,
        @JsonProperty("ha_assets") int haAssets,
        @JsonProperty("streams") int streams,
        @JsonProperty("accounts") List<String> accounts,
        @JsonProperty("usage") Map<String, Map<Integer, Usage>> usage,
        @JsonProperty("led") List<Led> led,
        @JsonProperty("leader") String leader) {
    /** Bytes and consumers of an account's streams with one number of replicas. */
    record Usage(
            @JsonProperty("memory") long memory,
            @JsonProperty("storage") long storage,
            @JsonProperty("consumers") int consumers) {
        static final Usage NONE = new Usage(0, 0, 0);

        Usage plus(Usage other) {
            return new Usage(memory + other.memory, storage + other.storage, consumers + other.consumers);
        }
    }

    /**
     * A group led there.
     *
     * @param ledNanos for how long
     * @param current nodes that could take over
     * @param whole whether all replicas are current
     */
    record Led(
            @JsonProperty("group") String group,
            @JsonProperty("led") long ledNanos,
            @JsonProperty("current") List<String> current,
            @JsonProperty("whole") boolean whole) {}

    NodeStatus {
        accounts = accounts == null ? List.of() : List.copyOf(accounts);
        usage = usage == null ? Map.of() : Map.copyOf(usage);
        led = led == null ? List.of() : List.copyOf(led);
        leader = leader == null ? "" : leader;
    }
}
