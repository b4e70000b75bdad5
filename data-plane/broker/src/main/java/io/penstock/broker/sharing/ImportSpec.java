package io.penstock.broker.sharing;

/**
 * What an account takes, from whichever source.
 *
 * @param exporter name of the exporting account
 * @param path how the subjects of the two accounts belong together
 * @param token activation, empty for none
 * @param share whether requests tell the service who asks
 */
public record ImportSpec(
        ShareKind kind, String exporter, SubjectPath path, String token, boolean share, boolean allowTrace) {}
