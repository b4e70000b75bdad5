/** The monitoring pages: what they show, over HTTP and over the system account. */
package io.penstock.server.monitor;
