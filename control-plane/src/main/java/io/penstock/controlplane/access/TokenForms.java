package io.penstock.controlplane.access;

import io.penstock.controlplane.web.Names;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;

/** What calls about tokens send. */
public final class TokenForms {
    private TokenForms() {}

    /** A new token of a service account. */
    public record ApiTokenCreate(
            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @NotNull(message = "at least one scope") @Size(max = 50, message = "at most 50")
            List<String> scopes,

            @Size(max = 50, message = "at most 50") List<String> projectIds,
            @Size(max = 50, message = "at most 50") List<String> cidrs,
            String expiresIn) {
        ApiTokens.Wish wish() {
            return new ApiTokens.Wish(
                    name,
                    TokenLimits.scopes(scopes),
                    projectIds,
                    TokenLimits.cidrs(cidrs),
                    TokenLimits.life(expiresIn));
        }
    }

    /** A new token of a person. */
    public record PersonalTokenCreate(
            @NotNull(message = "an organisation is needed") @Size(max = 64, message = "at most 64 characters")
            String organizationId,

            @NotNull(message = "a name is needed") @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @NotNull(message = "at least one scope") @Size(max = 50, message = "at most 50")
            List<String> scopes,

            @Size(max = 50, message = "at most 50") List<String> projectIds,
            @Size(max = 50, message = "at most 50") List<String> cidrs,
            String expiresIn) {
        ApiTokens.Wish wish() {
            return new ApiTokenCreate(name, scopes, projectIds, cidrs, expiresIn).wish();
        }
    }

    /** What may be changed. */
    public record ApiTokenPatch(
            @Pattern(regexp = Names.SLUG, message = Names.SLUG_RULE)
            String name,

            @Size(max = 50, message = "at most 50") List<String> scopes,
            @Size(max = 50, message = "at most 50") List<String> projectIds,
            @Size(max = 50, message = "at most 50") List<String> cidrs,
            Boolean disabled) {}

    /** A new secret. */
    public record ApiTokenRotate(String overlap, String expiresIn) {}
}
