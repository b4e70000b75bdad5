package io.penstock.accountservice.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.GroupEntity;
import jakarta.enterprise.context.ApplicationScoped;

/** Wishes of the control plane to and from the JSON in the database. */
@ApplicationScoped
public class Specs {
    private final ObjectMapper json;

    Specs(ObjectMapper json) {
        this.json = json;
    }

    String write(Object spec) {
        try {
            return json.writeValueAsString(spec);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a specification cannot be written as JSON", e);
        }
    }

    AccountSpec of(AccountEntity account) {
        return read(account.spec, AccountSpec.class, account.accountId);
    }

    /** The template of a group. */
    public TemplateSpec of(GroupEntity group) {
        return read(group.template, TemplateSpec.class, group.groupId);
    }

    private <T> T read(String text, Class<T> type, String whose) {
        try {
            return json.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the stored specification of " + whose + " is damaged", e);
        }
    }
}
