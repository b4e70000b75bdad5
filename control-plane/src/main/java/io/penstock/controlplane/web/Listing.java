package io.penstock.controlplane.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.ws.rs.core.UriInfo;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Pages of what the broker lists whole, in order of names. */
public final class Listing {
    private static final Function<ObjectNode, String> NAME =
            shown -> shown.path("name").asText();

    private Listing() {}

    public static Paging.Page<ObjectNode> page(Paging paging, UriInfo uri, List<ObjectNode> all) {
        List<ObjectNode> sorted =
                all.stream().sorted(Comparator.comparing(NAME)).toList();
        return paging.slice(paging.window(uri), sorted, NAME);
    }
}
