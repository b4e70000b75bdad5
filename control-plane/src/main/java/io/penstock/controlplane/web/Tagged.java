package io.penstock.controlplane.web;

/** Something as it is shown, with the entity tag that a change of it may name. */
public interface Tagged {
    String etag();
}
