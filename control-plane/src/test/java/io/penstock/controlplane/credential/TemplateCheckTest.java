package io.penstock.controlplane.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TemplateCheckTest {
    @Test
    void subjectPatternsAreChecked() {
        for (String good :
                List.of("orders.>", ">", "*", "a.*.c", "_INBOX.>", "$JS.API.>", "jobs workers", "a.{{name()}}.>")) {
            assertThat(TemplateCheck.isPattern(good)).as(good).isTrue();
        }
        for (String bad : List.of("", "a..b", ".a", "a.", "a.>.b", "a b c", "a\tb", "a ")) {
            assertThat(TemplateCheck.isPattern(bad)).as(bad).isFalse();
        }
    }
}
