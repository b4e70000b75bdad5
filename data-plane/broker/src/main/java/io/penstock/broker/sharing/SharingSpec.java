package io.penstock.broker.sharing;

import java.util.List;
import java.util.Set;

/**
 * All that an account shares.
 *
 * @param signingKeys public keys that may sign activations for it, its own included
 */
public record SharingSpec(List<ExportSpec> exports, List<ImportSpec> imports, Set<String> signingKeys) {
    public static final SharingSpec NONE = new SharingSpec(List.of(), List.of(), Set.of());

    public SharingSpec {
        exports = List.copyOf(exports);
        imports = List.copyOf(imports);
        signingKeys = Set.copyOf(signingKeys);
    }
}
