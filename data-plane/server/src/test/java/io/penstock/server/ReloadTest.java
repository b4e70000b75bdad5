package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.config.ConfigException;
import io.penstock.server.config.Configuration;
import io.penstock.server.config.Flags;
import io.penstock.server.config.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReloadTest {
    @TempDir
    private Path directory;

    private ServerOptions options(String text) throws Exception {
        Path file = directory.resolve("test.conf");
        Files.writeString(file, text);
        return Configuration.load(Flags.parse(List.of("-c", file.toString())), name -> null)
                .options();
    }

    private Reload between(String old, String next) throws Exception {
        return Reload.between(options(old), options(next));
    }

    @Test
    void findsNoChangeInTheSameFile() throws Exception {
        Reload reload = between("port: -1\ndebug: true", "port: -1\ndebug: true");

        assertThat(reload.changes()).isEmpty();
        assertThat(reload.auth()).isFalse();
    }

    @Test
    void namesWhatChanged() throws Exception {
        Reload reload = between(
                "port: 1\nmax_payload: 1MB",
                "port: 1\nmax_payload: 2MB\nping_interval: \"5s\"\ndebug: true\nmax_connections: 9");

        assertThat(reload.changes())
                .containsExactly("debug = true", "max_connections = 9", "max_payload = 2097152", "ping_interval = 5s");
    }

    @Test
    void carriesChangedUsers() throws Exception {
        Reload reload = between(
                "accounts { A { users: [ {user: a, password: p} ] } }",
                "accounts { A { users: [ {user: a, password: q} ] } }");

        assertThat(reload.auth()).isTrue();
        assertThat(reload.changes()).contains("accounts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port: 1|port: 2|Port: old=1, new=2",
                "host: a|host: b|Host: old=a, new=b",
                "server_name: a|server_name: b|ServerName: old=a, new=b",
                "max_pending: 32MB|max_pending: 64MB|MaxPending: old=33554432, new=67108864",
                "http_port: 1|http_port: 2|HTTPPort: old=1, new=2",
                "jetstream { store_dir: /a }|jetstream { store_dir: /b }|jetstream storage directory",
                "jetstream { max_mem: 2M }|jetstream { max_mem: 1M }|decreasing jetstream max memory and store",
                "jetstream { max_mem: 2M }|jetstream { }|jetstream dynamic max memory and store",
                "jetstream { max_mem: 1M }|jetstream { max_mem: 2M }|JetStreamMaxMemory: old=1000000, new=2000000",
                "port: 1|port: 1; jetstream: enabled|JetStream: old=false, new=true",
                "jetstream { domain: a }|jetstream { domain: b }|JetStreamDomain: old=a, new=b",
                "port: 1|port: 1; resolver: MEMORY; trusted_keys: OAAACAQDAQCQMBYIBEFAWDANBYHRAEISCMKBKFQXDAMRUGY4DUPB7JSU"
                        + "|moving to or from an account resolver"
            })
    void refusesTheWholeReloadWhenOneChangeNeedsARestart(String old, String next, String message) {
        assertThatThrownBy(() -> between(old, next))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("config reload not supported for " + message);
    }

    @Test
    void letsADefaultUserGoOnlyWithTheUser() throws Exception {
        String both = "no_auth_user: a\naccounts { A { users: [ {user: a, password: p}, {user: b, password: p} ] } }";
        String userKept = "accounts { A { users: [ {user: a, password: p}, {user: b, password: p} ] } }";
        String userGone = "accounts { A { users: [ {user: b, password: p} ] } }";

        assertThat(between(both, userGone).auth()).isTrue();
        assertThatThrownBy(() -> between(both, userKept)).hasMessageContaining("NoAuthUser: old=a, new=");
    }
}
