package io.penstock.controlplane.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.ConfigCodec;
import io.penstock.controlplane.broker.Configs;
import io.penstock.controlplane.stream.BucketFields;
import io.penstock.controlplane.stream.Buckets;
import io.penstock.controlplane.stream.StreamKind;

/** An object bucket as a stream, by the conventions that all clients keep. Pure. */
final class ObjectForm implements Buckets.Form {
    static final ObjectForm OBJECTS = new ObjectForm();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ObjectForm() {}

    @Override
    public StreamKind kind() {
        return StreamKind.OBJECT_BUCKET;
    }

    @Override
    public ConfigCodec codec() {
        return Configs.OBJECT_BUCKET;
    }

    @Override
    public ObjectNode stream(String name, ObjectNode settings) {
        ObjectNode out = NODES.objectNode();
        out.put("name", kind().stream(name));
        out.putArray("subjects").add("$O." + name + ".C.>").add("$O." + name + ".M.>");
        out.put("discard", "new");
        out.put("allow_rollup_hdrs", true);
        out.put("allow_direct", true);
        BucketFields.toStream(settings, out);
        return out;
    }

    @Override
    public ObjectNode patch(JsonNode current, ObjectNode settings) {
        ObjectNode out = NODES.objectNode();
        BucketFields.toStream(settings, out);
        return out;
    }

    @Override
    public ObjectNode settings(JsonNode config) {
        return BucketFields.ofStream(config);
    }

    @Override
    public void describe(JsonNode info, ObjectNode shown) {
        shown.put("sealed", info.at("/config/sealed").asBoolean());
    }
}
