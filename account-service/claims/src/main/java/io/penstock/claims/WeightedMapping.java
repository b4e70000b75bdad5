package io.penstock.claims;

import java.util.Map;

/**
 * Where a mapped subject goes.
 *
 * @param subject destination, `$1` or `{{wildcard(1)}}` refer to wildcards of the source
 * @param weight percent 1 to 100; 0 stands for 100
 * @param cluster only in this cluster, empty for everywhere
 */
public record WeightedMapping(String subject, int weight, String cluster) {
    /** The weight with 0 read as 100. */
    public int effectiveWeight() {
        return weight == 0 ? 100 : weight;
    }

    static WeightedMapping read(JsonObject json) throws InvalidTokenException {
        return new WeightedMapping(json.string("subject"), (int) json.number("weight"), json.string("cluster"));
    }

    Map<String, Object> toJson() {
        return new JsonFields()
                .put("subject", subject)
                .put("weight", weight)
                .put("cluster", cluster)
                .toMap();
    }
}
