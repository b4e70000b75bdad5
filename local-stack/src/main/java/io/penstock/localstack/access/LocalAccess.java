package io.penstock.localstack.access;

/**
 * What a program needs to work with the API of a local stack.
 *
 * @param endpoint origin of the API
 * @param token API token of the service account {@code terraform}, an owner
 * @param organization id of the organisation that the token works in
 * @param email whom to sign in as, to see the same in the console
 * @param password that person's password
 */
public record LocalAccess(String endpoint, String token, String organization, String email, String password) {}
