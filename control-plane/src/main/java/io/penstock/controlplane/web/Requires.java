package io.penstock.controlplane.web;

import io.penstock.controlplane.tenancy.Permission;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The permission an operation needs on the object of its path, `/v1/<kind>/{id}/…`. The gate finds that object's organisation and
 * project and refuses before the operation runs: 404 for a foreign one, 403 without the permission.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Requires {
    Permission value();

    /**
     * True: enough if it holds in any project of the organisation. The operation then shows, or lets change, only what lies where it
     * holds.
     */
    boolean somewhere() default false;
}
