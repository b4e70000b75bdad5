package io.penstock.broker.engine;

import io.penstock.broker.route.RouteAddress;
import io.penstock.broker.route.RouteInfo;

/** One attempt to open a route. Its owner is told exactly once how it ended; calls come on the route's loop. */
interface RouteDial {
    /** How an attempt ended. */
    enum Outcome {
        /** The route is open. */
        OPENED,
        /** The other side is this node itself. */
        SELF,
        /** There is such a route already. */
        DUPLICATE,
        /** Nobody listens there. */
        REFUSED,
        /** Anything else. */
        FAILED
    }

    RouteAddress address();

    /** Which connection between the two nodes it is to be. */
    int slot();

    /** @param info what the other side said, or null when it did not come so far */
    void done(Outcome outcome, RouteInfo info, String detail);
}
