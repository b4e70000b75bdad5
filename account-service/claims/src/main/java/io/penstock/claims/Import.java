package io.penstock.claims;

import java.util.Map;

/**
 * Something an account takes from another.
 *
 * @param name what people call it
 * @param subject the exporter's subject, or with `to` of a service the local one
 * @param account public key of the exporter
 * @param token activation token, empty for a public export
 * @param to deprecated: prefix of a stream, exporter's subject of a service
 * @param localSubject the subject on the importer's side, empty for the same; `$1` and `*` refer to wildcards
 * @param kind stream or service
 * @param share whether the importer's client details are shown to the service
 * @param allowTrace whether message traces may come in (streams)
 */
public record Import(
        String name,
        String subject,
        String account,
        String token,
        String to,
        String localSubject,
        ShareKind kind,
        boolean share,
        boolean allowTrace) {

    /** An import of a public export under the same subject. */
    public static Import of(String name, String subject, String account, ShareKind kind) {
        return new Import(name, subject, account, "", "", "", kind, false, false);
    }

    static Import read(JsonObject json) throws InvalidTokenException {
        return new Import(
                json.string("name"),
                json.string("subject"),
                json.string("account"),
                json.string("token"),
                json.string("to"),
                json.string("local_subject"),
                ShareKind.of(json.string("type")),
                json.bool("share"),
                json.bool("allow_trace"));
    }

    Map<String, Object> toJson() {
        return new JsonFields()
                .put("name", name)
                .put("subject", subject)
                .put("account", account)
                .put("token", token)
                .put("to", to)
                .put("local_subject", localSubject)
                .put("type", kind.text())
                .put("share", share)
                .put("allow_trace", allowTrace)
                .toMap();
    }
}
