package io.penstock.broker.sharing;

import io.penstock.broker.Account;
import io.penstock.broker.InterestListener;
import io.penstock.broker.Subscription;
import java.util.IdentityHashMap;

/**
 * A stream import at work: for each subscription of the importing account that meets the import, a shadow stands in the
 * exporting account.
 */
final class StreamImport implements InterestListener, Wiring {
    private final Account importer;
    private final Account exporter;
    private final SubjectPath path;

    /** Shadows by the subscription they belong to; guarded by itself. */
    private final IdentityHashMap<Subscription, Subscription> shadows = new IdentityHashMap<>();

    /** Guarded by {@link #shadows}. */
    private boolean closed;

    private StreamImport(Account importer, Account exporter, SubjectPath path) {
        this.importer = importer;
        this.exporter = exporter;
        this.path = path;
    }

    static StreamImport wire(Account importer, Account exporter, SubjectPath path) {
        StreamImport wired = new StreamImport(importer, exporter, path);
        importer.addInterestListener(wired);
        return wired;
    }

    @Override
    public void subscribed(Subscription subscription) {
        String pattern = path.remotePattern(subscription.pattern());
        if (pattern == null) {
            return;
        }
        Subscription shadow = exporter.subscribeShadow(subscription, pattern, path::toLocal);
        synchronized (shadows) {
            if (!closed) {
                shadows.put(subscription, shadow);
                return;
            }
        }
        // The import ended while this subscription was on its way.
        shadow.remove();
    }

    @Override
    public void unsubscribed(Subscription subscription) {
        // The shadow goes by itself when its original goes.
        synchronized (shadows) {
            shadows.remove(subscription);
        }
    }

    @Override
    public void close() {
        importer.removeInterestListener(this);
        Subscription[] left;
        synchronized (shadows) {
            closed = true;
            left = shadows.values().toArray(Subscription[]::new);
            shadows.clear();
        }
        for (Subscription shadow : left) {
            shadow.remove();
        }
    }
}
