package io.penstock.localstack;

/**
 * TCP ports of one broker node.
 *
 * @param client NATS clients over TCP
 * @param websocket NATS clients over WebSocket
 * @param monitor monitoring pages
 * @param routes the other nodes' routes
 * @param peers the other nodes' replication
 */
public record NodePorts(int client, int websocket, int monitor, int routes, int peers) {}
