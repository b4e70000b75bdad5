/** Writing JSON with members in a fixed order. */
package io.penstock.server.json;
