package io.penstock.accountservice.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings of the service. Every key can also be given as an environment variable. */
@ConfigMapping(prefix = "penstock")
public interface ServiceConfig {
    Statement statement();

    Keystore keystore();

    Bootstrap bootstrap();

    Broker broker();

    Sync sync();

    Issue issue();

    /** Signed statements of the control plane. */
    interface Statement {
        /** Base64 of the 32-byte secret shared with the control plane. */
        String secret();

        /** The longest a statement may be valid. */
        @WithDefault("60s")
        Duration maxAge();

        /** How far the two clocks may be apart. */
        @WithDefault("5s")
        Duration clockSkew();
    }

    /** The local key store. */
    interface Keystore {
        /** Folder of the wrapped keys. */
        Path dir();

        /** File with base64 of the 32-byte key that wraps all others; mode 0600. */
        Path kekFile();

        /** Whether a missing file is made, which happens only while the key store is empty. */
        @WithDefault("true")
        boolean createKek();

        /** Second copy of the revocation log; `revocations.log` in the key store unless said otherwise. */
        Optional<Path> revocationJournal();
    }

    /** Public files for the nodes. */
    interface Bootstrap {
        /** Folder of `operator.jwt`, `system-account.jwt` and `operator.conf`. */
        Path dir();

        /** Name in the operator's token, used at the first start only. */
        @WithDefault("penstock")
        String operatorName();
    }

    /** The nodes. */
    interface Broker {
        /** Client URLs of nodes; the others are learned from them. */
        @WithDefault("nats://127.0.0.1:4222")
        List<String> urls();

        /** Pause between attempts to connect. */
        @WithDefault("1s")
        Duration reconnectWait();

        /** How long the service's own system user token is valid; a new one is made at each connect. */
        @WithDefault("24h")
        Duration userTtl();
    }

    /** Bringing claims to the nodes. */
    interface Sync {
        /** How long every node has to answer a push. */
        @WithDefault("5s")
        Duration pushTimeout();

        /** How often the claims of all accounts on all nodes are compared. */
        @WithDefault("60s")
        Duration reconcileInterval();

        /** How long a request waits for the nodes before it answers `syncing`. */
        @WithDefault("3s")
        Duration requestWait();

        /** First pause before a failed push is tried again; doubles up to 30 s. */
        @WithDefault("1s")
        Duration retryPause();
    }

    /** Limits on issuing. */
    interface Issue {
        /** Off stops all issuing at once, management credentials included. */
        @WithDefault("true")
        boolean enabled();

        /** The longest a user token may be valid. */
        @WithDefault("365d")
        Duration maxTtl();

        /** Tokens an account may be issued in a minute. */
        @WithDefault("120")
        int perAccountPerMinute();

        /** Tokens all accounts together may be issued in a minute. */
        @WithDefault("3000")
        int perMinute();
    }
}
