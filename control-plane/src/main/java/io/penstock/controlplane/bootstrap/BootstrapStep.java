package io.penstock.controlplane.bootstrap;

import java.util.Locale;

/** The steps, in their order. Each looks first whether its work is done. */
enum BootstrapStep {
    /** The organisation, with the person as its owner. */
    ORGANIZATION,
    /** The project `default`. */
    PROJECT,
    /** The account `default`. */
    ACCOUNT,
    /** The signing-key group `default`. */
    SIGNING_KEY_GROUP,
    /** The broker knows the account. */
    BROKER_SYNC;

    String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
