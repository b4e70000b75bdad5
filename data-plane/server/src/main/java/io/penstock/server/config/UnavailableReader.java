package io.penstock.server.config;

import java.util.Set;

/**
 * Settings of features that this version does not have. What would be missed is refused; what a file only carries along
 * (a listener that nobody is asked to use, a tuning value, a feature turned off) is accepted with a warning.
 */
final class UnavailableReader {
    private static final Set<String> LEAF_NEEDS = Set.of("remotes");

    private final Problems problems;

    UnavailableReader(Problems problems) {
        this.problems = problems;
    }

    boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "leaf", "leafnodes" ->
                listenerOnly(
                        key, value, LEAF_NEEDS, "leaf node connections are", "the leaf node listener is not opened");
            case "gateway" -> {
                if (!Values.block(key, value).entries().isEmpty()) {
                    problems.unavailable(key, value, "gateways between clusters are");
                }
            }
            case "mqtt" -> {
                if (!Values.block(key, value).entries().isEmpty()) {
                    problems.unavailable(key, value, "MQTT connections are");
                }
            }
            case "ocsp" -> {
                if (!(value instanceof ConfigValue.Flag flag) || flag.value()) {
                    problems.unavailable(key, value, "OCSP stapling is");
                }
            }
            case "ocsp_cache" -> problems.ignored(key, value, "there are no OCSP checks");
            case "proxy_protocol" -> {
                if (Values.flag(value)) {
                    problems.unavailable(key, value, "the PROXY protocol is");
                }
            }
            case "proxies" -> {
                if (!Values.block(key, value).entries().isEmpty()) {
                    problems.unavailable(key, value, "trusted proxies are");
                }
            }
            case "default_js_domain" -> {
                if (!Values.block(key, value).entries().isEmpty()) {
                    problems.unavailable(key, value, "default JetStream domains of accounts are");
                }
            }
            case "prof_port" -> {
                if (Values.whole(value) != 0) {
                    problems.unavailable(key, value, "a profiling port is");
                }
            }
            case "prof_block_rate" -> Values.whole(value);
            case "connect_error_reports", "reconnect_error_reports" -> Values.whole(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void listenerOnly(String key, ConfigValue value, Set<String> needs, String feature, String ignored)
            throws ConfigException {
        ConfigValue.Block block = Values.block(key, value);
        if (block.entries().isEmpty()) {
            return;
        }
        for (String need : needs) {
            ConfigValue needed = block.find(need);
            if (needed != null
                    && !(needed instanceof ConfigValue.Items items
                            && items.values().isEmpty())) {
                problems.unavailable(need, needed, feature);
                return;
            }
        }
        problems.ignored(key, value, feature + " not available in this version; " + ignored);
    }
}
