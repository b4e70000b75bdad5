/**
 * nkeys, NATS JWTs and credentials files: what the broker verifies with and the account-service issues with.
 *
 * <p>Everything here is pure: no I/O, no clock, no threads. Time is an argument, randomness a {@link
 * java.security.SecureRandom} passed in. Subjects are ordinary Unicode strings as they stand in the JSON.
 */
package io.penstock.claims;
