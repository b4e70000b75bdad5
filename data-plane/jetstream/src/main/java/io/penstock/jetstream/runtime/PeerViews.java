package io.penstock.jetstream.runtime;

import io.penstock.consensus.Replica;
import io.penstock.protocol.jetstream.PeerInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Shows replicas the way the API does. */
public final class PeerViews {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SHORT_NAME = 8;

    private PeerViews() {}

    /** A replica as an answer shows it. */
    public static PeerInfo of(Replica replica) {
        // One that does not vote yet does not count: whoever waits for it must not take another away.
        return new PeerInfo(
                replica.node(),
                replica.voter() && replica.current() && !replica.offline(),
                replica.offline(),
                Math.max(0, replica.lastSeenNanos()),
                Math.max(0, replica.lag()),
                shortName(replica.node()));
    }

    /** The short name of a node that requests and answers use for it. */
    public static String shortName(String node) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(node.getBytes(StandardCharsets.UTF_8));
            StringBuilder name = new StringBuilder(SHORT_NAME);
            for (int i = 0; i < SHORT_NAME; i++) {
                name.append(DIGITS.charAt((hash[i] & 0xff) % DIGITS.length()));
            }
            return name.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
