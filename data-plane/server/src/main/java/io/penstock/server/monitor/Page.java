package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** One of the monitoring pages. */
@FunctionalInterface
interface Page {
    ObjectNode answer(Query query) throws PageException;
}
