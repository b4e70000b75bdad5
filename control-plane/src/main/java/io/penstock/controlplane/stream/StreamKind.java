package io.penstock.controlplane.stream;

/** What a stream is to the user, by the conventions that all clients keep. */
public enum StreamKind {
    /** A stream as such. */
    STREAM("", "stream", "streams"),
    /** The stream of a key-value bucket. */
    KV_BUCKET("KV_", "kv_bucket", "kv"),
    /** The stream of an object bucket. */
    OBJECT_BUCKET("OBJ_", "object_bucket", "objects");

    private final String prefix;
    private final String noun;
    private final String collection;

    StreamKind(String prefix, String noun, String collection) {
        this.prefix = prefix;
        this.noun = noun;
        this.collection = collection;
    }

    /** As it stands in answers and audit events. */
    public String noun() {
        return noun;
    }

    /** The stream of a bucket. */
    public String stream(String name) {
        return prefix + name;
    }

    /** The bucket of a stream of this kind. */
    public String name(String stream) {
        return stream.substring(prefix.length());
    }

    public boolean holds(String stream) {
        return stream.startsWith(prefix) && stream.length() > prefix.length();
    }

    /** The address of what this stream is to the user. */
    public String path(String account, String stream) {
        return "/v1/accounts/" + account + "/" + collection + "/" + name(stream);
    }

    static StreamKind of(String stream) {
        return KV_BUCKET.holds(stream) ? KV_BUCKET : OBJECT_BUCKET.holds(stream) ? OBJECT_BUCKET : STREAM;
    }
}
