package io.penstock.controlplane.credential;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import java.util.List;

/** Tags of a user, kept as one text with line ends between. */
final class UserTags {
    private static final int MOST = 64;
    private static final int LONGEST = 256;

    private UserTags() {}

    static List<String> read(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n"));
    }

    /** Fails with 422 for what could not be in a JWT. */
    static String write(List<String> tags) {
        boolean good = tags.size() <= MOST && tags.stream().allMatch(UserTags::isTag);
        if (!good) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED,
                    "tags",
                    "value",
                    "at most " + MOST + ", each with 1 to " + LONGEST + " characters and no commas or line ends");
        }
        return String.join("\n", tags);
    }

    private static boolean isTag(String tag) {
        return tag != null
                && !tag.isBlank()
                && tag.length() <= LONGEST
                && tag.chars().noneMatch(c -> c == ',' || c < 0x20);
    }
}
