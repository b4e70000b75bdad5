package io.penstock.claims;

import java.security.PublicKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decoded public keys by their text, in two generations: the older one is dropped when the younger is full, so the keys in
 * use stay and the number is bounded. Safe from any thread; a race may forget a key, which is decoded again.
 */
final class PublicKeyCache {
    private final int generationSize;
    private volatile ConcurrentHashMap<String, PublicKey> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, PublicKey> old = new ConcurrentHashMap<>();

    PublicKeyCache(int generationSize) {
        this.generationSize = generationSize;
    }

    /** The key, or null when it is not known. */
    PublicKey get(String text) {
        PublicKey key = young.get(text);
        if (key != null) {
            return key;
        }
        key = old.get(text);
        if (key != null) {
            put(text, key);
        }
        return key;
    }

    void put(String text, PublicKey key) {
        if (young.size() >= generationSize) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        young.put(text, key);
    }

    int size() {
        return young.size() + old.size();
    }
}
