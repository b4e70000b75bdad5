package io.penstock.server.config;

import io.penstock.broker.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a {@code tls} block of a listener. */
final class TlsReader extends BlockReader {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final String CONTEXT = "error parsing tls config, ";
    private static final String TLS_1_2 = "TLSv1.2";
    private static final String TLS_1_3 = "TLSv1.3";
    private static final Set<String> CURVES = Set.of(
            "x25519",
            "curvep256",
            "curvep384",
            "curvep521",
            "x25519mlkem768",
            "secp256r1mlkem768",
            "secp384r1mlkem1024");

    private final List<TlsOptions.Certificate> pairs = new ArrayList<>();
    private Path certificate;
    private Path privateKey;
    private Path caFile;
    private boolean verify;
    private boolean verifyOptional;
    private boolean map;
    private final List<String> cipherSuites = new ArrayList<>();
    private String minimumVersion = TLS_1_2;
    private Duration timeout = TlsOptions.DEFAULT_TIMEOUT;
    private long rateLimit;
    private final Set<String> pinned = new LinkedHashSet<>();
    private boolean first;
    private Duration fallback = Duration.ZERO;

    private TlsReader(Problems problems) {
        super(problems);
    }

    /**
     * @param mapToUser {@code verify_and_map}: the client certificate names the user
     */
    record Tls(TlsOptions options, boolean mapToUser) {}

    static Tls read(ConfigValue value, Problems problems) throws ConfigException {
        TlsReader reader = new TlsReader(problems);
        reader.readAll(Values.block("tls", value));
        return new Tls(reader.build(value.position()), reader.map);
    }

    /** What the flags {@code --tls…} ask for. */
    static TlsOptions ofFlags(String certificate, String key, String ca, boolean verify, boolean optional)
            throws ConfigException {
        if (certificate.isEmpty()) {
            throw new ConfigException(null, "TLS Server certificate must be present and valid");
        }
        if (key.isEmpty()) {
            throw new ConfigException(null, "TLS Server private key must be present and valid");
        }
        TlsReader reader = new TlsReader(new Problems(Set.of()));
        reader.certificate = Path.of(certificate);
        reader.privateKey = Path.of(key);
        reader.caFile = ca.isEmpty() ? null : Path.of(ca);
        reader.verify = verify;
        reader.verifyOptional = optional;
        TlsOptions options = reader.build(null);
        reader.problems.throwIfAny();
        return options;
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "cert_file" -> certificate = Path.of(Values.text(value));
            case "key_file" -> privateKey = Path.of(Values.text(value));
            case "ca_file" -> caFile = Path.of(Values.text(value));
            case "certs", "certificates" -> certificates(value);
            case "verify" -> verify(value);
            case "verify_and_map" -> {
                map = Values.flag(value);
                verify |= map;
            }
            case "timeout" -> timeout = Values.seconds("tls config", value);
            case "min_version" -> minimumVersion = version(value);
            case "handshake_first", "first", "immediate" -> handshakeFirst(key, value);
            case "cipher_suites" -> cipherSuites.addAll(cipherSuites(value));
            case "curve_preferences" -> curves(value);
            case "connection_rate_limit" -> rateLimit = Values.whole(value);
            case "pinned_certs" -> pinned(value);
            default -> {
                return unusual(key, value);
            }
        }
        return true;
    }

    private boolean unusual(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "insecure", "allow_insecure_cipher_suites" -> {
                if (Values.flag(value)) {
                    problems.ignored(key, value, "this listener never uses insecure settings");
                }
            }
            case "verify_cert_and_check_known_urls" -> {
                if (Values.flag(value)) {
                    throw new ConfigException(
                            value.position(), "verify_cert_and_check_known_urls not supported in this context");
                }
            }
            case "ocsp_peer" -> {
                if (!(value instanceof ConfigValue.Flag flag) || flag.value()) {
                    problems.unavailable(key, value, "OCSP checks of client certificates are");
                }
            }
            case "cert_store", "cert_match_by", "cert_match", "ca_certs_match", "cert_match_skip_invalid" ->
                problems.unavailable(key, value, "the Windows certificate store is");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void certificates(ConfigValue value) throws ConfigException {
        for (ConfigValue item : Values.items("tls certs", value)) {
            Path chain = null;
            Path key = null;
            for (Map.Entry<String, ConfigValue> entry :
                    Values.block("certs entry", item).entries().entrySet()) {
                switch (entry.getKey()) {
                    case "cert_file" -> chain = Path.of(Values.text(entry.getValue()));
                    case "key_file" -> key = Path.of(Values.text(entry.getValue()));
                    default -> problems.unknown(entry.getKey(), entry.getValue());
                }
            }
            if (chain == null || key == null) {
                throw new ConfigException(
                        item.position(),
                        "error parsing certificates config: both 'cert_file' and 'key_file' options are required");
            }
            pairs.add(new TlsOptions.Certificate(chain, key));
        }
    }

    private void verify(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Text text && text.value().equalsIgnoreCase("optional")) {
            verifyOptional = true;
        } else if (value instanceof ConfigValue.Flag flag) {
            verify |= flag.value();
        } else {
            throw new ConfigException(value.position(), CONTEXT + "expected 'verify' to be a boolean or 'optional'");
        }
    }

    private static String version(ConfigValue value) throws ConfigException {
        return switch (Values.text(value)) {
            case "1.2" -> TLS_1_2;
            case "1.3" -> TLS_1_3;
            default ->
                throw new ConfigException(
                        value.position(),
                        "error parsing tls config: unsupported TLS version: " + Values.text(value)
                                + ", 'min_version' is \"1.2\" or \"1.3\"");
        };
    }

    private void handshakeFirst(String key, ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Flag flag) {
            first = flag.value();
            return;
        }
        String text = Values.text(value);
        switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on" -> first = true;
            case "false", "off" -> first = false;
            case "auto", "auto_fallback" -> {
                first = true;
                fallback = TlsOptions.AUTO_FALLBACK;
            }
            default -> {
                try {
                    fallback = Durations.parse(text);
                    first = true;
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(
                            value.position(), "field \"" + key + "\"'s value \"" + text + "\" is invalid");
                }
            }
        }
    }

    private static List<String> cipherSuites(ConfigValue value) throws ConfigException {
        List<String> names = Values.texts(value);
        if (names.isEmpty()) {
            throw new ConfigException(value.position(), CONTEXT + "'cipher_suites' cannot be empty");
        }
        for (String name : names) {
            if (!name.startsWith("TLS_")) {
                throw new ConfigException(value.position(), "unrecognized cipher " + name);
            }
        }
        return names;
    }

    private void curves(ConfigValue value) throws ConfigException {
        List<String> names = Values.texts(value);
        if (names.isEmpty()) {
            throw new ConfigException(value.position(), CONTEXT + "'curve_preferences' cannot be empty");
        }
        for (String name : names) {
            if (!CURVES.contains(name.toLowerCase(Locale.ROOT))) {
                throw new ConfigException(value.position(), "unrecognized curve preference " + name);
            }
        }
        problems.ignored("curve_preferences", value, "the runtime's own order is used");
    }

    private void pinned(ConfigValue value) throws ConfigException {
        for (ConfigValue item : Values.items("pinned_certs", value)) {
            String hash = Values.text(item).toLowerCase(Locale.ROOT);
            if (!SHA256.matcher(hash).matches()) {
                throw new ConfigException(
                        item.position(),
                        CONTEXT + "'pinned_certs' key " + hash
                                + " does not look like hex-encoded sha256 of DER encoded SubjectPublicKeyInfo");
            }
            pinned.add(hash);
        }
    }

    private TlsOptions build(Position position) throws ConfigException {
        if (certificate != null && !pairs.isEmpty()) {
            throw new ConfigException(position, CONTEXT + "cannot combine 'cert_file' option with 'certs' option");
        }
        if (verify && verifyOptional) {
            throw new ConfigException(
                    position, CONTEXT + "cannot combine 'verify: optional' with options requiring client certificates");
        }
        if (certificate != null && privateKey == null) {
            throw new ConfigException(position, "missing 'key_file' in TLS configuration");
        }
        if (certificate == null && privateKey != null) {
            throw new ConfigException(position, "missing 'cert_file' in TLS configuration");
        }
        if (certificate != null) {
            pairs.add(new TlsOptions.Certificate(certificate, privateKey));
        }
        if (pairs.isEmpty()) {
            throw new ConfigException(position, CONTEXT + "a listener needs 'cert_file' and 'key_file'");
        }
        for (TlsOptions.Certificate pair : pairs) {
            requireFile(position, pair.certFile(), "X509 certificate/key pair");
            requireFile(position, pair.keyFile(), "X509 certificate/key pair");
        }
        if (caFile != null) {
            requireFile(position, caFile, "root CA certificates");
        }
        return new TlsOptions(
                pairs,
                caFile,
                verify,
                verifyOptional,
                minimumVersion.equals(TLS_1_3) ? List.of(TLS_1_3) : List.of(TLS_1_2, TLS_1_3),
                cipherSuites,
                timeout,
                pinned,
                first,
                fallback,
                rateLimit);
    }

    private void requireFile(Position position, Path file, String what) {
        if (!Files.isReadable(file)) {
            String reason = Files.exists(file) ? "permission denied" : "no such file or directory";
            problems.error(position, "error parsing " + what + ": open " + file + ": " + reason);
        }
    }
}
