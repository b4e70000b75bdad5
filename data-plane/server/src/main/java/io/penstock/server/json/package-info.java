/** Making and writing JSON trees. */
package io.penstock.server.json;
