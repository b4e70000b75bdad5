package io.penstock.broker;

/**
 * Names of this server.
 *
 * @param id public nkey, prefix N
 * @param name defaults to the id
 * @param version announced to clients, which switch features on it
 * @param cluster cluster name or null
 * @param domain JetStream domain or null
 * @param xkey public curve key, prefix X, or null
 * @param productVersion our own version, announced beside it
 */
public record ServerIdentity(
        String id, String name, String version, String cluster, String domain, String xkey, String productVersion) {

    /** The protocol version clients are told. */
    public static final String PROTOCOL_VERSION = "2.15.3";

    public static final String PRODUCT = "penstock";

    /** Level of the JetStream API: what clients may ask for. */
    public static final int API_LEVEL = 4;
}
