package io.penstock.broker.sharing;

/**
 * A stream or service that an account of the configuration takes from another.
 *
 * @param account name of the exporting account
 * @param subject subject in the exporting account
 * @param to local subject ({@code to}), or null for the same as {@code subject}
 * @param prefix prefix put before the subjects of a stream, or null; excludes {@code to}
 * @param share whether requests tell the service who asks (services)
 * @param allowTrace whether message traces may come along (streams)
 */
public record ImportConfig(
        ShareKind kind, String account, String subject, String to, String prefix, boolean share, boolean allowTrace) {}
