package io.penstock.controlplane.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.ws.rs.core.UriInfo;
import java.util.Comparator;
import java.util.List;

/** Pages of what the broker lists whole, in order of names. */
public final class Listing {
    private Listing() {}

    private static String name(ObjectNode shown) {
        return shown.path("name").asText();
    }

    public static Paging.Page<ObjectNode> page(Paging paging, UriInfo uri, List<ObjectNode> all) {
        List<ObjectNode> sorted =
                all.stream().sorted(Comparator.comparing(Listing::name)).toList();
        return paging.slice(paging.window(uri), sorted, Listing::name);
    }
}
