/** The server's log, and slf4j's way to it. */
package io.penstock.server.log;
