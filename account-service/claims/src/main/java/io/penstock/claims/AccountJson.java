package io.penstock.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The body of an account token to and from JSON. */
final class AccountJson {
    private AccountJson() {}

    static AccountClaims read(Registered registered, int version, JsonObject body) throws InvalidTokenException {
        List<Import> imports = new ArrayList<>();
        for (JsonObject json : body.objects("imports")) {
            imports.add(Import.read(json));
        }
        List<Export> exports = new ArrayList<>();
        for (JsonObject json : body.objects("exports")) {
            exports.add(Export.read(json));
        }
        AccountClaimsBuilder builder = new AccountClaimsBuilder(registered)
                .version(version)
                .tags(body.strings("tags"))
                .imports(imports)
                .exports(exports)
                .limits(AccountLimits.read(body.object("limits")))
                .signingKeys(readSigningKeys(body))
                .revocations(body.object("revocations").numbers())
                .defaultPermissions(Permissions.read(body.object("default_permissions")))
                .mappings(readMappings(body.object("mappings")))
                .authorization(ExternalAuthorization.read(body.object("authorization")))
                .trace(body.has("trace") ? MessageTrace.read(body.object("trace")) : null)
                .clusterTraffic(body.string("cluster_traffic"))
                .description(body.string("description"))
                .infoUrl(body.string("info_url"));
        return builder.unknown(body.unknown()).build();
    }

    private static List<SigningKey> readSigningKeys(JsonObject body) throws InvalidTokenException {
        List<SigningKey> keys = new ArrayList<>();
        for (Object entry : body.list("signing_keys")) {
            if (entry instanceof String key) {
                keys.add(new SigningKey(key, null));
            } else {
                String at = "nats.signing_keys[" + keys.size() + "]";
                keys.add(SigningKey.read(new JsonObject(at, JsonObject.asObject(at, entry))));
            }
        }
        return keys;
    }

    private static Map<String, List<WeightedMapping>> readMappings(JsonObject json) throws InvalidTokenException {
        Map<String, List<WeightedMapping>> mappings = new LinkedHashMap<>();
        for (String subject : json.names()) {
            List<WeightedMapping> destinations = new ArrayList<>();
            for (JsonObject destination : json.objects(subject)) {
                destinations.add(WeightedMapping.read(destination));
            }
            mappings.put(subject, List.copyOf(destinations));
        }
        return mappings;
    }

    static Map<String, Object> write(AccountClaims claims) {
        Map<String, Object> mappings = new LinkedHashMap<>();
        claims.mappings()
                .forEach((subject, to) -> mappings.put(
                        subject, to.stream().map(WeightedMapping::toJson).toList()));
        JsonFields permissions = new JsonFields();
        claims.defaultPermissions().write(permissions);
        JsonFields fields = new JsonFields()
                .put("imports", claims.imports().stream().map(Import::toJson).toList())
                .put("exports", claims.exports().stream().map(Export::toJson).toList())
                .always("limits", claims.limits().toJson())
                .put(
                        "signing_keys",
                        claims.signingKeys().stream().map(SigningKey::toJson).toList())
                .put("revocations", claims.revocations())
                .always("default_permissions", permissions.toMap())
                .put("mappings", mappings)
                .always("authorization", claims.authorization().toJson());
        if (claims.trace() != null) {
            fields.always("trace", claims.trace().toJson());
        }
        return fields.put("cluster_traffic", claims.clusterTraffic())
                .put("description", claims.description())
                .put("info_url", claims.infoUrl())
                .all(claims.unknown())
                .toMap();
    }
}
