/**
 * The configuration language and the command line: from text to {@link io.penstock.server.config.ServerOptions}, with
 * every mistake reported at its place. No I/O but reading files.
 */
package io.penstock.server.config;
