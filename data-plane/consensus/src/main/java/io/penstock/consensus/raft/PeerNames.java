package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * Names of nodes as the engine's peers. The engine thinks of addresses; we give it names in their place, so that a
 * node may move to another address and stay the same replica.
 */
final class PeerNames {
    private static final int PORT = 1;

    private PeerNames() {}

    static PeerId peer(String node) {
        return new PeerId(encode(node), PORT);
    }

    static List<PeerId> peers(Collection<String> nodes) {
        return nodes.stream().map(PeerNames::peer).toList();
    }

    static String node(PeerId peer) {
        return peer == null || peer.isEmpty() ? "" : decode(peer.getIp());
    }

    static String nodeOf(String host) {
        return decode(host);
    }

    /** Letters, digits, dots and hyphens stay; any other byte becomes an underscore and two hexadecimal digits. */
    static String encode(String node) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : node.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-') {
                encoded.append(c);
            } else {
                encoded.append('_').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return encoded.toString();
    }

    static String decode(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int length = 0;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '_') {
                bytes[length++] = (byte) Integer.parseInt(encoded, i + 1, i + 3, 16);
                i += 2;
            } else {
                bytes[length++] = (byte) c;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
