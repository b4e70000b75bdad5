package io.penstock.consensus.link;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How two nodes learn whom they talk to: each tells its names and a number used once, then proves, with a code over both
 * numbers and names, that it knows the cluster's secret.
 */
final class Handshake {
    private static final int VERSION = 1;
    static final int NONCE_BYTES = 32;

    private Handshake() {}

    /**
     * What a node tells of itself.
     *
     * @param life a number drawn when the process started
     * @param proof empty from the caller, who proves itself later
     */
    record Hello(String cluster, String name, long life, byte[] nonce, byte[] proof) {
        byte[] encode() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            try {
                out.writeByte(VERSION);
                out.writeUTF(cluster);
                out.writeUTF(name);
                out.writeLong(life);
                out.write(nonce);
                out.writeByte(proof.length);
                out.write(proof);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }

        /** @throws IOException when these bytes are no greeting of this version */
        static Hello decode(byte[] bytes) throws IOException {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new IOException("version " + version + " of the peer protocol; this node speaks " + VERSION);
            }
            String cluster = in.readUTF();
            String name = in.readUTF();
            long life = in.readLong();
            byte[] nonce = in.readNBytes(NONCE_BYTES);
            byte[] proof = in.readNBytes(in.readUnsignedByte());
            return new Hello(cluster, name, life, nonce, proof);
        }
    }

    /** The code that {@code prover} shows to {@code verifier}. */
    static byte[] proof(String secret, String role, Hello prover, Hello verifier) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(("penstock " + secret).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            for (String part : new String[] {role, prover.cluster, prover.name, verifier.name}) {
                mac.update(part.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
            }
            mac.update(prover.nonce);
            mac.update(verifier.nonce);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is missing in this Java", e);
        }
    }

    static boolean matches(byte[] expected, byte[] shown) {
        return MessageDigest.isEqual(expected, shown);
    }
}
