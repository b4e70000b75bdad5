package io.penstock.server.config;

import java.util.Set;

/**
 * A configuration file as it was read, includes merged and variables resolved.
 *
 * @param root the body of the file
 * @param digest {@code sha256:} and the hexadecimal hash of the body as JSON; comments and layout do not change it
 * @param variables positions of the keys that a variable refers to: such a key may have any name
 */
public record ConfigDocument(ConfigValue.Block root, String digest, Set<Position> variables) {}
