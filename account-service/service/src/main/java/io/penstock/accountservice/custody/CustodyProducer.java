package io.penstock.accountservice.custody;

import io.penstock.accountservice.config.ServiceConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;

/** Chooses the key store and the sources of time and randomness. */
@ApplicationScoped
class CustodyProducer {
    @Produces
    @ApplicationScoped
    KeyVault vault(ServiceConfig config) {
        ServiceConfig.Keystore keystore = config.keystore();
        return LocalEncryptedKeyVault.open(
                keystore.dir(), keystore.kekFile(), keystore.createKek(), new SecureRandom());
    }

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }
}
