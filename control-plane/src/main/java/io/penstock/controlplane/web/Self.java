package io.penstock.controlplane.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an operation about the caller, who needs no permission for it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Self {
    /** Whether API tokens may call it; else only a person with a session. */
    boolean tokens() default false;
}
