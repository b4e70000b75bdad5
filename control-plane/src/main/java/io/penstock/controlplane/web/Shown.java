package io.penstock.controlplane.web;

/** An object as it is shown. */
public interface Shown extends Tagged {
    String id();
}
