package io.penstock.server.config;

import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the settings of operator mode: whose signature counts and where account JWTs come from. */
final class OperatorReader {
    private static final String RESOLVER_FORMS =
            "error parsing account resolver, should be MEM or URL(\"url\") or a map containing dir and"
                    + " type state=[FULL|CACHE])";
    private static final Pattern MEMORY = Pattern.compile("(?i)\\s*(MEM|MEMORY)\\s*");
    private static final Pattern URL = Pattern.compile("(?i)\\s*URL\\(\\s*\"?([^\\s\"]*)\"?\\s*\\)\\s*");

    private final OptionsDraft options;
    private final Problems problems;

    OperatorReader(OptionsDraft options, Problems problems) {
        this.options = options;
        this.problems = problems;
    }

    boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "operator", "operators", "root", "roots", "root_operator", "root_operators" -> operators(value);
            case "trusted", "trusted_keys" -> trustedKeys(value);
            case "resolver", "account_resolver", "accounts_resolver" -> options.resolver = resolver(value);
            case "resolver_preload" -> preload(value);
            case "resolver_pinned_accounts" -> pinned(value);
            case "resolver_tls" -> problems.unavailable(key, value, "TLS settings of the URL resolver are");
            case "default_sentinel" -> options.defaultSentinel = Values.text(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** JWTs, or names of files that hold one. */
    private void operators(ConfigValue value) throws ConfigException {
        for (String item : Values.texts(value)) {
            options.operatorJwts.add(operator(item.trim(), value));
        }
    }

    private static String operator(String item, ConfigValue value) throws ConfigException {
        String jwt = item;
        if (!item.startsWith("eyJ")) {
            try {
                jwt = jwtOf(Files.readString(Path.of(item), StandardCharsets.UTF_8));
            } catch (IOException | InvalidPathException e) {
                throw new ConfigException(
                        value.position(), "error parsing operator JWT: open " + item + ": no such file or directory");
            }
        }
        if (!jwt.startsWith("eyJ") || jwt.split("\\.", -1).length != 3) {
            throw new ConfigException(value.position(), "error parsing operator JWT: expected 3 chunks");
        }
        return jwt;
    }

    /** The token in a file that may be decorated with lines of dashes. */
    private static String jwtOf(String content) {
        for (String line : content.lines().toList()) {
            if (line.trim().startsWith("eyJ")) {
                return line.trim();
            }
        }
        return content.trim();
    }

    private void trustedKeys(ConfigValue value) throws ConfigException {
        for (String key : Values.texts(value)) {
            if (!NKeys.isPublicKey(KeyType.OPERATOR, key)) {
                throw new ConfigException(
                        value.position(), "trust key \"" + key + "\" required to be a valid public operator nkey");
            }
            options.trustedKeys.add(key);
        }
    }

    private void preload(ConfigValue value) throws ConfigException {
        if (!(value instanceof ConfigValue.Block block)) {
            throw new ConfigException(value.position(), "preload should be a map of account_public_key:account_jwt");
        }
        for (Map.Entry<String, ConfigValue> entry : block.entries().entrySet()) {
            if (!(entry.getValue() instanceof ConfigValue.Text text)) {
                problems.error(entry.getValue().position(), "preload map value should be a string JWT");
            } else if (!text.value().trim().startsWith("eyJ")) {
                problems.error(text.position(), "invalid account JWT");
            } else {
                options.preload.put(entry.getKey(), text.value().trim());
            }
        }
    }

    private void pinned(ConfigValue value) throws ConfigException {
        List<String> keys = Values.texts(value);
        for (String key : keys) {
            if (!NKeys.isPublicKey(KeyType.ACCOUNT, key)) {
                throw new ConfigException(
                        value.position(), "pinned account \"" + key + "\" is not a public account nkey");
            }
        }
        options.pinnedAccounts.addAll(keys);
    }

    private ResolverConfig resolver(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Block block) {
            ResolverReader reader = new ResolverReader();
            reader.readAll(block);
            return reader.build(value.position());
        }
        String text = Values.text(value);
        if (MEMORY.matcher(text).matches()) {
            return ResolverConfig.memory();
        }
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            throw new ConfigException(value.position(), RESOLVER_FORMS);
        }
        try {
            URI uri = new URI(url.group(1));
            if (uri.getHost() == null) {
                throw new URISyntaxException(url.group(1), "host is missing");
            }
            return new ResolverConfig(
                    ResolverConfig.Kind.URL,
                    null,
                    uri,
                    false,
                    false,
                    ResolverConfig.DEFAULT_INTERVAL,
                    Duration.ZERO,
                    0,
                    ResolverConfig.DEFAULT_TIMEOUT);
        } catch (URISyntaxException e) {
            throw new ConfigException(value.position(), "error parsing account resolver url: " + e.getMessage());
        }
    }

    /** {@code resolver} as a map. */
    private final class ResolverReader extends BlockReader {
        private String type = "";
        private String directory = "";
        private boolean allowDelete;
        private ConfigValue hardDelete;
        private long limit;
        private Duration timeToLive;
        private Duration interval;
        private Duration timeout = ResolverConfig.DEFAULT_TIMEOUT;

        ResolverReader() {
            super(OperatorReader.this.problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "type" -> type = Values.text(value).toUpperCase(Locale.ROOT);
                case "dir" -> directory = Values.text(value);
                case "allow_delete" -> allowDelete = Values.flag(value);
                case "hard_delete" -> {
                    Values.flag(value);
                    hardDelete = value;
                }
                case "limit" -> limit = Values.whole(value);
                case "ttl" -> timeToLive = Values.duration(key, value, problems);
                case "interval" -> interval = Values.duration(key, value, problems);
                case "timeout" -> timeout = Values.duration(key, value, problems);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private ResolverConfig build(Position position) throws ConfigException {
            switch (type) {
                case "MEM", "MEMORY" -> {
                    return ResolverConfig.memory();
                }
                case "FULL" -> {
                    refuse(position, timeToLive != null, "FULL does not accept ttl");
                    refuse(position, hardDelete != null && !allowDelete, "hard_delete has no effect without delete");
                }
                case "CACHE" -> {
                    refuse(position, interval != null, "CACHE does not accept sync");
                    refuse(position, allowDelete, "CACHE does not accept allow_delete");
                    refuse(position, hardDelete != null, "CACHE does not accept hard_delete");
                }
                default -> throw new ConfigException(position, RESOLVER_FORMS);
            }
            refuse(position, directory.isEmpty(), "dir has no value and needs to point to a directory");
            Path path = Path.of(directory);
            refuse(
                    position,
                    Files.exists(path) && (!Files.isDirectory(path) || !Files.isWritable(path)),
                    "dir needs to point to an accessible directory");
            boolean full = type.equals("FULL");
            return new ResolverConfig(
                    full ? ResolverConfig.Kind.FULL : ResolverConfig.Kind.CACHE,
                    path,
                    null,
                    allowDelete,
                    hardDelete != null && Values.flag(hardDelete),
                    interval == null ? ResolverConfig.DEFAULT_INTERVAL : interval,
                    timeToLive == null ? Duration.ZERO : timeToLive,
                    limit == 0 && !full ? ResolverConfig.DEFAULT_CACHE_LIMIT : limit,
                    timeout);
        }

        private void refuse(Position position, boolean condition, String message) throws ConfigException {
            if (condition) {
                throw new ConfigException(position, message);
            }
        }
    }
}
