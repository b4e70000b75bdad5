package io.penstock.localstack.mail;

import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One mail as the page and the tests see it.
 *
 * @param received time of arrival, RFC 3339
 * @param text its plain text, may be empty
 * @param html its HTML, may be empty
 */
public record Mail(String id, String received, String from, List<String> to, String subject, String text, String html) {
    static Mail of(String id, MimeMessage message) throws MessagingException, IOException {
        StringBuilder text = new StringBuilder();
        StringBuilder html = new StringBuilder();
        collect(message, text, html);
        return new Mail(
                id,
                Instant.ofEpochMilli(Long.parseLong(id)).toString(),
                addresses(message.getFrom()).stream().findFirst().orElse(""),
                addresses(message.getRecipients(Message.RecipientType.TO)),
                message.getSubject() == null ? "" : message.getSubject(),
                text.toString(),
                html.toString());
    }

    static Mail unreadable(String id, String reason) {
        return new Mail(
                id, Instant.ofEpochMilli(Long.parseLong(id)).toString(), "", List.of(), "(not readable)", reason, "");
    }

    private static List<String> addresses(Address[] addresses) {
        List<String> plain = new ArrayList<>();
        if (addresses != null) {
            for (Address address : addresses) {
                plain.add(address instanceof InternetAddress internet ? internet.getAddress() : address.toString());
            }
        }
        return plain;
    }

    private static void collect(Part part, StringBuilder text, StringBuilder html)
            throws MessagingException, IOException {
        if (part.isMimeType("text/plain")) {
            text.append(part.getContent());
        } else if (part.isMimeType("text/html")) {
            html.append(part.getContent());
        } else if (part.isMimeType("multipart/*") && part.getContent() instanceof Multipart parts) {
            for (int i = 0; i < parts.getCount(); i++) {
                collect(parts.getBodyPart(i), text, html);
            }
        }
    }
}
