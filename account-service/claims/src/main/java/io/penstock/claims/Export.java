package io.penstock.claims;

import java.util.Map;

/**
 * Something an account offers to others.
 *
 * @param name what people call it
 * @param subject what is offered, wildcards included
 * @param kind stream or service
 * @param tokenRequired whether importers need an activation token
 * @param revocations by importer's public key (or `*`): activations issued until this unix second are void
 * @param responseType `Singleton`, `Stream`, `Chunked`, empty for singleton
 * @param responseThresholdNanos nanoseconds a service may take, 0 for the default
 * @param latency where to report service latency, or null
 * @param accountTokenPosition which token of the subject (from 1) must be the importer's public key, 0 for none
 * @param advertise whether it may be shown to others
 * @param allowTrace whether message traces may go on into the account (services)
 */
public record Export(
        String name,
        String subject,
        ShareKind kind,
        boolean tokenRequired,
        Map<String, Long> revocations,
        String responseType,
        long responseThresholdNanos,
        Latency latency,
        int accountTokenPosition,
        boolean advertise,
        boolean allowTrace,
        String description,
        String infoUrl) {

    /**
     * Service latency reports.
     *
     * @param sampling percent 1 to 100, 0 for requests that ask by header
     * @param results subject the reports go to
     */
    public record Latency(int sampling, String results) {}

    /** A public export of this subject, everything else at its default. */
    public static Export of(String name, String subject, ShareKind kind) {
        return new Export(name, subject, kind, false, Map.of(), "", 0, null, 0, false, false, "", "");
    }

    static Export read(JsonObject json) throws InvalidTokenException {
        Latency latency = null;
        if (json.has("service_latency")) {
            JsonObject field = json.object("service_latency");
            int sampling = 0;
            if (!field.isString("sampling")) {
                sampling = (int) field.number("sampling");
            } else if (!field.string("sampling").equals("headers")) {
                throw field.wrong("sampling", "a percentage or \"headers\"");
            }
            latency = new Latency(sampling, field.string("results"));
        }
        return new Export(
                json.string("name"),
                json.string("subject"),
                ShareKind.of(json.string("type")),
                json.bool("token_req"),
                json.object("revocations").numbers(),
                json.string("response_type"),
                json.number("response_threshold"),
                latency,
                (int) json.number("account_token_position"),
                json.bool("advertise"),
                json.bool("allow_trace"),
                json.string("description"),
                json.string("info_url"));
    }

    Map<String, Object> toJson() {
        JsonFields fields = new JsonFields()
                .put("name", name)
                .put("subject", subject)
                .put("type", kind.text())
                .put("token_req", tokenRequired)
                .put("revocations", revocations)
                .put("response_type", responseType)
                .put("response_threshold", responseThresholdNanos);
        if (latency != null) {
            Object sampling = latency.sampling() == 0 ? "headers" : (Object) latency.sampling();
            fields.always("service_latency", Map.of("sampling", sampling, "results", latency.results()));
        }
        return fields.put("account_token_position", accountTokenPosition)
                .put("advertise", advertise)
                .put("allow_trace", allowTrace)
                .put("description", description)
                .put("info_url", infoUrl)
                .toMap();
    }
}
