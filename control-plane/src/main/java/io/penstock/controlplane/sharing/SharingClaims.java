package io.penstock.controlplane.sharing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Exports and imports of an account as account-service signs them. Runs in a transaction of the account's organisation. */
@ApplicationScoped
public class SharingClaims {
    @Inject
    ExportRepository exports;

    @Inject
    ImportRepository imports;

    @Inject
    ShareRepository shares;

    @Inject
    ObjectMapper json;

    public ArrayNode exports(String accountId) {
        ArrayNode out = json.createArrayNode();
        for (ExportEntity row : exports.ofAccount(accountId)) {
            ObjectNode export = out.addObject();
            export.put("name", row.name);
            export.put("subject", row.subject);
            export.put("type", row.type);
            export.put("token_required", row.tokenRequired);
            export.put("response_type", spelled(row.responseType));
            export.put("account_token_position", row.accountTokenPosition);
            export.put("advertise", row.advertise);
            export.put("description", row.description);
            export.put("allow_trace", row.allowTrace);
            if (row.latencySubject != null) {
                export.putObject("latency").put("sampling", row.latencySampling).put("results", row.latencySubject);
            }
            ObjectNode revoked = export.putObject("revocations");
            for (ShareEntity share : shares.ofExport(row.id)) {
                if (share.revokedSecond != null) {
                    revoked.put(
                            share.targetPublicKey,
                            Math.max(
                                    share.revokedSecond,
                                    revoked.path(share.targetPublicKey).asLong()));
                }
            }
        }
        return out;
    }

    /** Imports whose share is not accepted, taken back or gone are left out. */
    public ArrayNode imports(String accountId) {
        List<ImportEntity> rows = imports.ofAccount(accountId);
        Map<String, ShareEntity> used = shares.byId(
                rows.stream().map(row -> row.shareId).filter(Objects::nonNull).toList());
        ArrayNode out = json.createArrayNode();
        for (ImportEntity row : rows) {
            ShareEntity share = row.shareId == null ? null : used.get(row.shareId);
            if (row.shareId != null && (share == null || !"accepted".equals(share.state))) {
                continue;
            }
            ObjectNode one = out.addObject();
            one.put("name", row.name);
            one.put("subject", row.subject);
            one.put("account_public_key", row.remotePublicKey);
            one.put("local_subject", row.localSubject == null ? "" : row.localSubject);
            one.put("type", row.type);
            one.put("token", share != null ? share.token : row.ownToken == null ? "" : row.ownToken);
            one.put("share", row.shareConnectionInfo);
            one.put("allow_trace", row.allowTrace);
        }
        return out;
    }

    private static String spelled(String responseType) {
        return responseType == null
                ? ""
                : responseType.substring(0, 1).toUpperCase(Locale.ROOT) + responseType.substring(1);
    }
}
