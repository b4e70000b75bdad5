package io.penstock.localstack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Passwords and keys of one local stack, made once and kept in a file only its owner reads.
 *
 * @param postgresSuperuser password of the database's superuser
 * @param keycloakDatabase password of Keycloak's database role
 * @param keycloakAdmin password of Keycloak's first administrator
 * @param accountDatabase password of the account-service's database role
 * @param controlOwnerDatabase password of the role that owns the control plane's tables (migrations)
 * @param controlAppDatabase password of the role the control plane works with, bound by row-level security
 * @param consoleClient secret of the console's OpenID Connect client
 * @param adminClient secret of the control plane's administrative client in Keycloak
 * @param statement base64 of the 32 bytes that sign requests from control-plane to account-service
 * @param session base64 of 32 bytes with which the control plane protects cookies and cursors
 * @param cluster password the broker nodes show each other
 */
public record Secrets(
        String postgresSuperuser,
        String keycloakDatabase,
        String keycloakAdmin,
        String accountDatabase,
        String controlOwnerDatabase,
        String controlAppDatabase,
        String consoleClient,
        String adminClient,
        String statement,
        String session,
        String cluster) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    static Secrets loadOrCreate(Path file) {
        try {
            if (Files.exists(file)) {
                return completed(JSON.readValue(file.toFile(), Secrets.class), file);
            }
            SecureRandom random = new SecureRandom();
            Secrets made = new Secrets(
                    password(random),
                    password(random),
                    password(random),
                    password(random),
                    password(random),
                    password(random),
                    password(random),
                    password(random),
                    key(random),
                    key(random),
                    password(random));
            StackHome.create(file.getParent());
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            JSON.writeValue(file.toFile(), made);
            return made;
        } catch (IOException e) {
            throw new StackException("secrets file " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** A home made before stacks had several nodes has no password for them. */
    private static Secrets completed(Secrets read, Path file) throws IOException {
        if (read.cluster != null) {
            return read;
        }
        Secrets whole = new Secrets(
                read.postgresSuperuser,
                read.keycloakDatabase,
                read.keycloakAdmin,
                read.accountDatabase,
                read.controlOwnerDatabase,
                read.controlAppDatabase,
                read.consoleClient,
                read.adminClient,
                read.statement,
                read.session,
                password(new SecureRandom()));
        JSON.writeValue(file.toFile(), whole);
        return whole;
    }

    private static String password(SecureRandom random) {
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String key(SecureRandom random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
