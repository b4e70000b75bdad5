package io.penstock.claims;

import java.util.Map;

/**
 * A key that may sign users of an account.
 *
 * @param key public key
 * @param scope what its users may do, or null when each user's token says so itself
 */
public record SigningKey(String key, Scope scope) {

    /**
     * A role: users signed by the key get this template and carry no permissions of their own.
     *
     * @param role name of the role
     * @param template permissions and limits, subjects may hold `{{name()}}` and the like
     * @param description for people
     */
    public record Scope(String role, UserLimits template, String description) {}

    private static final String USER_SCOPE = "user_scope";

    public boolean isScoped() {
        return scope != null;
    }

    static SigningKey read(JsonObject json) throws InvalidTokenException {
        if (!json.string("kind").equals(USER_SCOPE)) {
            throw json.wrong("kind", "\"" + USER_SCOPE + "\"");
        }
        Scope scope =
                new Scope(json.string("role"), UserLimits.read(json.object("template")), json.string("description"));
        return new SigningKey(json.string("key"), scope);
    }

    Object toJson() {
        if (scope == null) {
            return key;
        }
        JsonFields template = new JsonFields();
        scope.template().write(template);
        return Map.of(
                "kind", USER_SCOPE,
                "key", key,
                "role", scope.role(),
                "template", template.toMap(),
                "description", scope.description());
    }
}
