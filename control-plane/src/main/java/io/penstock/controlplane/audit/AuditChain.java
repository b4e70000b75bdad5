package io.penstock.controlplane.audit;

import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.JsonSettings;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The hash chain of an organisation's events: each hash covers the previous one and every field, so a changed, dropped or
 * inserted event breaks all that follow.
 */
public final class AuditChain {
    /** What stands before the first event. */
    static final String GENESIS = "0".repeat(64);

    private AuditChain() {}

    static String hash(String previous, AuditEntity event) {
        StringBuilder text = new StringBuilder(previous);
        Object[] fields = {
            event.id,
            event.orgId,
            event.seq,
            JsonSettings.format(event.time),
            event.actorKind,
            event.actorId,
            event.actorName,
            event.action,
            event.resource,
            event.result,
            event.ip,
            event.userAgent,
            event.requestId,
            event.details
        };
        for (Object field : fields) {
            append(text, field);
        }
        // Events without a token hash as they did before tokens were noted.
        if (event.tokenId != null) {
            append(text, event.tokenId);
        }
        return HexFormat.of().formatHex(Etags.sha256(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static void append(StringBuilder text, Object field) {
        String value = Objects.toString(field, "");
        text.append('\n').append(value.length()).append(':').append(value);
    }

    /** The first event, in order of `seq`, that does not fit; empty when the chain is whole. */
    public static Optional<AuditEntity> firstBroken(List<AuditEntity> inOrder) {
        String previous = GENESIS;
        long seq = 1;
        for (AuditEntity event : inOrder) {
            if (event.seq != seq++ || !event.hash.equals(hash(previous, event))) {
                return Optional.of(event);
            }
            previous = event.hash;
        }
        return Optional.empty();
    }
}
