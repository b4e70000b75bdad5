package io.penstock.broker.engine;

/**
 * What is told over routes: somebody here wants messages of this pattern.
 *
 * @param queue queue group, or null for every message
 */
record Interest(String account, String pattern, String queue) {}
