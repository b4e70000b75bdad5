/** The cluster as one node sees it: who is there, how nodes find each other, and the lines they speak. */
package io.penstock.broker.route;
