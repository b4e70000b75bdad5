/** The cluster's metadata: which nodes there are, which groups they carry, where each stream lies. */
package io.penstock.jetstream.cluster;
